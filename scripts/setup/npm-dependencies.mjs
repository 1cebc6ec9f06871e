// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { runCommand } from "./programs.mjs";

/**
 * @typedef {Record<string, string>} Versions
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @property {string} [resolved] The folder in the workspace, for a link.
 * @property {Versions} [dependencies]
 * @property {Versions} [optionalDependencies]
 * @property {Versions} [peerDependencies]
 * @property {Versions} [devDependencies]
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

/** @typedef {"server" | "all"} Packages The server's dependencies only, or also the tools for tests and checks. */

/** The workspace's package that `npm start` runs. Its dependencies include Node. */
const SERVER = "server";

/**
 * Whether `node_modules` matches the lockfile and the package.json files. Uses npm's own record of installed packages,
 * so that a manual `npm install` counts.
 * @param {string} root The workspace.
 * @param {Packages} packages
 */
export function hasDependencies(root, packages) {
  const installed = /** @type {Lock | undefined} */ (readJson(join(root, "node_modules", ".package-lock.json")));
  const wanted = /** @type {Lock | undefined} */ (readJson(join(root, "package-lock.json")));
  // npm writes its record before it runs install scripts, one of which installs the server's Node.
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

/** Lists the paths of the packages that `npm start` installs: the server and its dependencies. @param {Lock} lock */
export function findServerPackages({ packages }) {
  /** @type {Set<string>} */
  const found = new Set([SERVER]);
  // The loop also visits the paths that it adds.
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
 * Lists the folders in which Node looks for a package's dependencies, nearest first.
 * @param {string} path
 * @returns {readonly string[]} Paths that end in a slash or are empty.
 */
function foldersAbove(path) {
  if (path === "") return [""];
  const parts = path.split("/");
  const folders = parts.map((_, index) => `${parts.slice(0, parts.length - index).join("/")}/`);
  return [...folders.filter((folder) => !folder.endsWith("node_modules/")), ""];
}

/**
 * Installs packages without their scripts, and then runs the scripts that package.json allows. npm ignores
 * `allowScripts` before version 11.16, and may only warn before version 12.
 * @param {string} root The workspace.
 * @param {Packages} packages
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

/** Lists the packages whose scripts may run. @param {string} root The workspace. */
function readAllowed(root) {
  const manifest = /** @type {{ allowScripts?: Record<string, boolean> } | undefined} */ (
    readJson(join(root, "package.json"))
  );
  const rules = Object.entries(manifest?.allowScripts ?? {});
  return rules.filter(([, isAllowed]) => isAllowed).map(([name]) => name);
}

/**
 * Returns the environment without the workspace's programs on the PATH, because `npm ci` deletes them, including Node.
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
  // npm doesn't install packages for other platforms, which are optional.
  if (installed === undefined) return wanted.optional === true;
  return (wanted.link === true || installed.version === wanted.version) && existsSync(folder);
}

/**
 * @param {string} folder One of the workspace's packages.
 * @param {LockEntry} locked The lockfile's copy of the package.json.
 */
function agrees(folder, locked) {
  const manifest = /** @type {LockEntry} */ (readJson(join(folder, "package.json")) ?? {});
  const [found, wanted] = [manifest, locked].map((each) => [each.dependencies ?? {}, each.devDependencies ?? {}]);
  return isDeepStrictEqual(found, wanted);
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
