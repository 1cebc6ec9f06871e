// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runCommand } from "./programs.mjs";

/**
 * @typedef {Record<string, string>} Versions
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @property {string} [resolved] For a link: the folder in the workspace.
 * @property {Versions} [dependencies]
 * @property {Versions} [optionalDependencies]
 * @property {Versions} [peerDependencies]
 * @property {Versions} [devDependencies]
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

/**
 * Which packages: what the server runs on, or everything, with the tools of tests and checks.
 * @typedef {"server" | "all"} Packages
 */

/** The package of the workspace that `npm start` needs with its dependencies, to which its Node belongs. */
const SERVER = "server";

/**
 * Whether `node_modules` matches the lockfile and the package.json files. Compares them with npm's own record of what
 * it installed, so that a manual `npm install` counts too.
 * @param {string} root The workspace.
 * @param {Packages} packages
 * @returns {boolean}
 */
export function hasDependencies(root, packages) {
  const installed = readLock(join(root, "node_modules", ".package-lock.json"));
  const wanted = readLock(join(root, "package-lock.json"));
  // npm writes its record before it runs install scripts, and one of these installs the server's Node.
  if (installed === undefined || wanted === undefined || !existsSync(join(root, "node_modules/.bin/node")))
    return false;
  const needed = packages === "all" ? Object.keys(wanted.packages) : findServerPackages(wanted);
  return needed.every((path) => {
    const entry = wanted.packages[path] ?? {};
    return path.includes("node_modules/")
      ? isInstalled(installed.packages[path], entry, join(root, path))
      : agrees(join(root, path), entry);
  });
}

/**
 * The paths of the server and of the packages that it runs on, which `npm start` installs.
 * @param {Lock} lock
 * @returns {readonly string[]}
 */
export function findServerPackages({ packages }) {
  /** @type {Set<string>} */
  const found = new Set([SERVER]);
  // A set's iterator also visits what is added during the loop.
  for (const path of found) {
    const { link, resolved, ...entry } = packages[path] ?? {};
    if (link === true && resolved !== undefined) found.add(resolved);
    for (const name of Object.keys({
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    })) {
      const dependency = foldersAbove(path)
        .map((folder) => `${folder}node_modules/${name}`)
        .find((each) => each in packages);
      if (dependency !== undefined) found.add(dependency);
    }
  }
  return [...found];
}

/**
 * Where Node looks for the dependencies of a package, nearest first.
 * @param {string} path
 * @returns {readonly string[]} Empty, or with a slash at the end.
 */
function foldersAbove(path) {
  if (path === "") return [""];
  const parts = path.split("/");
  const folders = parts.map((_, index) => `${parts.slice(0, parts.length - index).join("/")}/`);
  return [...folders.filter((folder) => !folder.endsWith("node_modules/")), ""];
}

/**
 * Installs packages without their scripts, and then runs those that package.json allows. npm itself ignores
 * `allowScripts` before version 11.16, and may only warn before version 12.
 * @param {string} root The workspace.
 * @param {Packages} packages
 * @returns {Promise<import("./programs.mjs").Outcome>} Has npm's output if it fails.
 */
export async function installDependencies(root, packages) {
  const which = packages === "all" ? ["--include=dev"] : ["--omit=dev", `--workspace=${SERVER}`];
  const options = { cwd: root, env: outsideWorkspace(root) };
  const args = ["ci", "--ignore-scripts", ...which, "--no-audit", "--no-fund", "--loglevel=error"];
  const installed = await runCommand("npm", args, options);
  const allowed = readAllowed(root).filter((name) => existsSync(join(root, "node_modules", name)));
  if (!installed.isOk || allowed.length === 0) return installed;
  return runCommand("npm", ["rebuild", "--ignore-scripts=false", "--loglevel=error", ...allowed], options);
}

/**
 * @param {string} root The workspace.
 * @returns {readonly string[]} Packages whose scripts may run.
 */
function readAllowed(root) {
  const manifest = /** @type {{ allowScripts?: Record<string, boolean> } | undefined} */ (
    readJson(join(root, "package.json"))
  );
  const rules = Object.entries(manifest?.allowScripts ?? {});
  return rules.filter(([, isAllowed]) => isAllowed).map(([name]) => name);
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
