// @ts-check
import { readFileSync } from "node:fs";
import { hasProgram, runCommand } from "./programs.mjs";
import { BROWSER_FILES } from "./system-parts.mjs";

/** @typedef {import("./system-parts.mjs").Part} Part */

/**
 * Returns the prefix that makes a command run as root.
 * @param {boolean} isAtTerminal Whether `sudo` may ask for a password.
 * @returns {Promise<readonly string[] | undefined>} Undefined if the user can't become root.
 */
export async function findRootPrefix(isAtTerminal) {
  if (process.getuid?.() === 0) return [];
  if (!hasProgram("sudo")) return undefined;
  if (isAtTerminal) return ["sudo"];
  const { isOk } = await runCommand("sudo", ["-n", "true"]);
  return isOk ? ["sudo", "-n"] : undefined;
}

/** Whether this system uses apt. */
export function hasApt() {
  return process.platform === "linux" && hasProgram("apt-get");
}

/**
 * Lists package names, without duplicates.
 * @param {readonly Part[]} parts
 * @param {"debian" | "fedora" | "arch"} [family]
 */
function packagesOf(parts, family = "debian") {
  return [...new Set(parts.flatMap((part) => part.packages[family]?.split(" ") ?? []))];
}

/**
 * Installs the packages available in this system's repositories. The caller checks which parts are still missing.
 * @param {readonly Part[]} parts
 * @param {readonly string[]} rootPrefix
 */
export async function installPackages(parts, rootPrefix) {
  const [program, ...prefix] = [...rootPrefix, "env"];
  const apt = [...prefix, "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "-o", "DPkg::Lock::Timeout=120"];
  const updated = await runCommand(program, [...apt, "update"]);
  if (!updated.isOk) return updated;
  // apt installs nothing if it doesn't know one of the packages. Ubuntu, for example, has Chromium only as a snap.
  const offered = await offeredOf(packagesOf(parts));
  if (offered.length === 0) return { isOk: true, output: "" };
  return runCommand(program, [...apt, "install", "--yes", "--no-install-recommends", ...offered]);
}

/** Lists the packages that apt can install. @param {readonly string[]} packages */
async function offeredOf(packages) {
  const env = { ...process.env, LC_ALL: "C" };
  const { output } = await runCommand("apt-cache", ["policy", ...packages], { env });
  const paragraphs = output.split(/^(?=\S)/m);
  return packages.filter((name) =>
    paragraphs.some((text) => text.startsWith(`${name}:\n`) && !/Candidate: \(none\)/.test(text)),
  );
}

const NOT_LINUX =
  "This system can't run browsers, because they need Linux sandboxes. Use a Linux machine, a virtual machine (macOS: Lima\n" +
  "or OrbStack; Windows: WSL 2), or `npm run start:fake`, which serves the contract without real browsers.";

const UBUNTU =
  "Ubuntu has Chromium only as a snap, which can't run in a sandbox. Use Debian's packages `chromium`, `chromium-common`\n" +
  "and `chromium-headless-shell`, or use Debian.";

const UNKNOWN_LINUX =
  "The set-up doesn't know this distribution's package names. Debian's are: %s.\n" +
  `The server looks for programs on the PATH, and for browsers at ${BROWSER_FILES.chromium.join(" or ")},\n` +
  `${BROWSER_FILES.headlessShell.join(" or ")}.`;

/**
 * Returns instructions for installing the given parts on this system.
 * @param {readonly Part[]} parts
 * @param {string} [osRelease] The text of /etc/os-release.
 */
export function howToGet(parts, osRelease = readOsRelease()) {
  if (process.platform !== "linux") return NOT_LINUX;
  const family = familyOf(osRelease);
  if (family === "fedora") return `As root: dnf install ${packagesOf(parts, "fedora").join(" ")}`;
  if (family === "arch") return `As root: pacman -S ${packagesOf(parts, "arch").join(" ")}`;
  if (family === "debian" || hasApt()) {
    const command = `As root: ${aptCommand(parts)}`;
    const wantsChromium = packagesOf(parts).some((name) => name.startsWith("chromium"));
    return /^ID=ubuntu$/m.test(osRelease) && wantsChromium ? `${command}\n${UBUNTU}` : command;
  }
  return UNKNOWN_LINUX.replace("%s", packagesOf(parts).join(" "));
}

/**
 * Returns the command that installs parts.
 * @param {readonly Part[]} parts
 * @param {readonly string[]} [rootPrefix]
 */
export function aptCommand(parts, rootPrefix = []) {
  const apt = [...rootPrefix, "apt-get"].join(" ");
  return `${apt} update && ${apt} install --yes --no-install-recommends ${packagesOf(parts).join(" ")}`;
}

/** @param {string} osRelease */
function familyOf(osRelease) {
  const ids = [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap((match) => match[1]?.split(" ") ?? []);
  if (ids.includes("debian") || ids.includes("ubuntu")) return "debian";
  if (ids.includes("fedora") || ids.includes("rhel")) return "fedora";
  return ids.includes("arch") ? "arch" : undefined;
}

function readOsRelease() {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}
