// @ts-check
import { readFileSync } from "node:fs";
import { hasProgram, runCommand } from "./programs.mjs";
import { BROWSER_FILES } from "./system-parts.mjs";

/** @typedef {import("./system-parts.mjs").Part} Part */

/**
 * The prefix that runs a command as root.
 * @param {boolean} isAtTerminal Whether sudo may ask for a password.
 * @returns {Promise<readonly string[] | undefined>} Undefined if that isn't possible.
 */
export async function findRootPrefix(isAtTerminal) {
  if (process.getuid?.() === 0) return [];
  if (!hasProgram("sudo")) return undefined;
  if (isAtTerminal) return ["sudo"];
  const { isOk } = await runCommand("sudo", ["-n", "true"]);
  return isOk ? ["sudo", "-n"] : undefined;
}

/** @returns {boolean} Whether this system uses apt. */
export function hasApt() {
  return process.platform === "linux" && hasProgram("apt-get");
}

/**
 * @param {readonly Part[]} parts
 * @param {"debian" | "fedora" | "arch"} [family]
 * @returns {string[]} Names of packages, without duplicates.
 */
function packagesOf(parts, family = "debian") {
  return [...new Set(parts.flatMap((part) => part.packages[family]?.split(" ") ?? []))];
}

/**
 * Installs those packages that this system's sources offer. The caller checks what is still missing.
 * @param {readonly Part[]} parts
 * @param {readonly string[]} rootPrefix
 * @returns {Promise<import("./programs.mjs").Outcome>} Has apt's output if it fails.
 */
export async function installPackages(parts, rootPrefix) {
  const [program, ...prefix] = [...rootPrefix, "env"];
  const apt = [...prefix, "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "-o", "DPkg::Lock::Timeout=120"];
  const updated = await runCommand(program, [...apt, "update"]);
  if (!updated.isOk) return updated;
  // apt refuses all packages if one is unknown, as Chromium is on Ubuntu, which only has a snap.
  const offered = await offeredOf(packagesOf(parts));
  if (offered.length === 0) return { isOk: true, output: "" };
  return runCommand(program, [...apt, "install", "--yes", "--no-install-recommends", ...offered]);
}

/**
 * @param {readonly string[]} packages
 * @returns {Promise<string[]>} The packages that apt can install.
 */
async function offeredOf(packages) {
  const { output } = await runCommand("apt-cache", ["policy", ...packages], {
    env: { ...process.env, LC_ALL: "C" },
  });
  const paragraphs = output.split(/^(?=\S)/m);
  return packages.filter((name) =>
    paragraphs.some((text) => text.startsWith(`${name}:\n`) && !/Candidate: \(none\)/.test(text)),
  );
}

const NOT_LINUX =
  "Browsers run in Linux sandboxes, so this system can't run them. Use a Linux machine, a virtual one (macOS: Lima or\n" +
  "OrbStack; Windows: WSL 2), or `npm run start:fake`, which serves the contract without real browsers.";

const UBUNTU =
  "Ubuntu only has Chromium as a snap, which can't run in a sandbox: use the packages `chromium`, `chromium-common` and\n" +
  "`chromium-headless-shell` from Debian, or use Debian.";

const UNKNOWN_LINUX =
  "The package names of this distribution are unknown. Debian's are: %s.\n" +
  `The server finds programs on the PATH, and the browsers at ${BROWSER_FILES.chromium.join(" or ")},\n` +
  `${BROWSER_FILES.headlessShell.join(" or ")}.`;

/**
 * Says how to install parts on this system.
 * @param {readonly Part[]} parts
 * @param {string} [osRelease] The text of /etc/os-release.
 * @returns {string}
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
 * @param {readonly Part[]} parts
 * @param {readonly string[]} [rootPrefix]
 * @returns {string} The command that installs them.
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
