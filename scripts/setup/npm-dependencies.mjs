// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runCommand } from "./run-command.mjs";

/**
 * @typedef {Record<string, string>} Versions
 * @typedef {{ version?: string, optional?: boolean, link?: boolean, dependencies?: Versions, devDependencies?: Versions }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

/**
 * Whether `node_modules` matches the lockfile and the package.json files. Compares them with npm's own record of what
 * it installed, so that a manual `npm install` counts too.
 * @param {string} root The workspace.
 * @returns {boolean}
 */
export function hasDependencies(root) {
  const installed = readLock(join(root, "node_modules", ".package-lock.json"));
  const wanted = readLock(join(root, "package-lock.json"));
  // npm writes its record before it runs install scripts, and one of these installs the server's Node.
  if (installed === undefined || wanted === undefined || !existsSync(join(root, "node_modules/.bin/node")))
    return false;
  return Object.entries(wanted.packages).every(([path, entry]) =>
    path.includes("node_modules/")
      ? isInstalled(installed.packages[path], entry, join(root, path))
      : agrees(join(root, path), entry),
  );
}

/**
 * @param {string} root The workspace.
 * @returns {Promise<import("./run-command.mjs").Outcome>} Has npm's output if it fails.
 */
export async function installDependencies(root) {
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  return runCommand("npm", args, { cwd: root, env: outsideWorkspace(root) });
}

/**
 * The environment without the workspace's own programs on the PATH: `npm ci` deletes them, including Node, while it
 * runs.
 * @param {string} root
 */
function outsideWorkspace(root) {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const path = folders.filter((folder) => !folder.startsWith(join(root, "node_modules"))).join(delimiter);
  return { ...process.env, PATH: path };
}

/**
 * @param {LockEntry | undefined} installed
 * @param {LockEntry} wanted
 * @param {string} folder The folder of the package.
 */
function isInstalled(installed, wanted, folder) {
  // Packages for other platforms are optional, and not installed.
  if (installed === undefined) return wanted.optional === true;
  return (wanted.link === true || installed.version === wanted.version) && existsSync(folder);
}

/**
 * @param {string} folder One of the workspace's packages.
 * @param {LockEntry} locked The lockfile's copy of the package.json.
 */
function agrees(folder, locked) {
  const manifest = /** @type {LockEntry} */ (readJson(join(folder, "package.json")) ?? {});
  return (
    sameVersions(manifest.dependencies, locked.dependencies) &&
    sameVersions(manifest.devDependencies, locked.devDependencies)
  );
}

/**
 * @param {Versions | undefined} left
 * @param {Versions | undefined} right
 */
function sameVersions(left = {}, right = {}) {
  const names = Object.keys({ ...left, ...right });
  return names.every((name) => left[name] === right[name]);
}

/**
 * @param {string} file
 * @returns {Lock | undefined}
 */
function readLock(file) {
  return /** @type {Lock | undefined} */ (readJson(file));
}

/**
 * @param {string} file
 * @returns {unknown} Undefined if the file doesn't exist or is incomplete.
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
