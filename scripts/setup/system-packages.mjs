// @ts-check
import { findProgram } from "./find-program.mjs";
import { runCommand } from "./run-command.mjs";

/** @typedef {import("./system-parts.mjs").Part} Part */

/**
 * The prefix that runs a command as root.
 * @param {boolean} isAtTerminal Whether sudo may ask for a password.
 * @returns {Promise<readonly string[] | undefined>} Undefined if that isn't possible.
 */
export async function findRootPrefix(isAtTerminal) {
  if (process.getuid?.() === 0) return [];
  if (findProgram("sudo") === undefined) return undefined;
  if (isAtTerminal) return ["sudo"];
  const { isOk } = await runCommand("sudo", ["-n", "true"]);
  return isOk ? ["sudo", "-n"] : undefined;
}

/** @returns {boolean} Whether this system uses apt. */
export function hasApt() {
  return process.platform === "linux" && findProgram("apt-get") !== undefined;
}

/**
 * @param {readonly Part[]} parts
 * @param {"debian" | "fedora" | "arch"} [family]
 * @returns {string[]} Names of packages, without duplicates.
 */
export function packagesOf(parts, family = "debian") {
  return [...new Set(parts.flatMap((part) => part.packages[family]?.split(" ") ?? []))];
}

/**
 * Installs those packages that this system's sources offer. The caller checks what is still missing.
 * @param {readonly Part[]} parts
 * @param {readonly string[]} rootPrefix
 * @returns {Promise<import("./run-command.mjs").Outcome>} Has apt's output if it fails.
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
