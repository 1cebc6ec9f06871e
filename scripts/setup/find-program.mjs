// @ts-check
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

// The folders in which Debian keeps `ip` and others. They are not on an unprivileged user's PATH.
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/**
 * @param {string} file
 * @returns {boolean} Whether it is an executable file.
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
 * Finds a program on the PATH, or in the system's administrative folders.
 * @param {string} name
 * @returns {string | undefined} Its path.
 */
export function findProgram(name) {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}
