// @ts-check
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

// Where Debian keeps `ip` and others; an unprivileged user's PATH leaves these out.
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/**
 * @param {string} file
 * @returns {boolean} Whether it is a file that may be run.
 */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Looks a program up as a shell would, and in the system's administrative folders.
 * @param {string} name
 * @returns {string | undefined} Its path.
 */
export function findProgram(name) {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}
