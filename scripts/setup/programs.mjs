// @ts-check
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

// Debian installs `ip` and other programs in these folders, which are not on an unprivileged user's PATH.
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Finds a program on the PATH, or in the system's administrative folders.
 * @param {string} name
 * @returns {string | undefined} The program's path.
 */
export function findProgram(name) {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * @typedef {object} Outcome
 * @property {boolean} isOk Whether the exit code is 0.
 * @property {string} output Stdout and stderr, in the order of arrival.
 */

/**
 * Runs a program until it exits. Never rejects: a program that can't start fails with the reason as its output.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options] `stdio` is ignored. Stdin is inherited, so that sudo can
 * ask for a password.
 * @returns {Promise<Outcome>}
 */
export function runCommand(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["inherit", "pipe", "pipe"] });
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString("utf8");
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.on("error", (error) => resolve({ isOk: false, output: `${error.message}\n` }));
    child.on("close", (code) => resolve({ isOk: code === 0, output }));
  });
}

/** @param {string} name */
export function hasProgram(name) {
  return findProgram(name) !== undefined;
}

/**
 * @param {"fc-list" | "fc-match"} program
 * @param {string} pattern
 * @param {string} [property] The property to print for each font. Default: the family names.
 * @returns {Promise<string>} One line per font. Empty if fontconfig isn't installed.
 */
export async function askFontconfig(program, pattern, property = "family") {
  const { isOk, output } = await runCommand(program, ["-f", `%{${property}}\n`, pattern]);
  return isOk ? output.trim() : "";
}
