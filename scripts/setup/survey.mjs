// @ts-check
import { hasDependencies } from "./npm-dependencies.mjs";
import { hasPythonParts, PYTHON } from "./python-parts.mjs";
import { SYSTEM_PARTS } from "./system-parts.mjs";

/** @typedef {import("./system-parts.mjs").Part} Part */

/**
 * What to install: the npm packages of the server, those and its programs, all npm packages, what `npm test` needs, or
 * everything.
 * @typedef {"server" | "start" | "dependencies" | "test" | "all"} Scope
 */

/**
 * @typedef {object} Lack What is missing.
 * @property {boolean} dependencies npm packages.
 * @property {readonly Part[]} parts Missing system parts.
 * @property {boolean} python The virtual environment.
 */

/**
 * @param {string} root The workspace.
 * @param {Scope} scope
 * @returns {Promise<Lack>}
 */
export async function survey(root, scope) {
  const python = isForTests(scope) && !hasPythonParts(root);
  const wanted = partsOf(scope).concat(python ? [PYTHON] : []);
  const present = await Promise.all(wanted.map(async (part) => part.isPresent()));
  return {
    dependencies: !hasDependencies(root, packagesOf(scope)),
    parts: wanted.filter((_, index) => present[index] === false),
    python,
  };
}

/**
 * @param {Lack} lack
 * @returns {boolean}
 */
export function isNothing(lack) {
  return !lack.dependencies && !lack.python && lack.parts.length === 0;
}

/**
 * @param {Part} part
 * @param {Scope} scope
 * @returns {boolean} Whether the command can't run without it.
 */
export function isEssential(part, scope) {
  return part.stops === "start" ? scope === "start" || isForTests(scope) : part.stops === "test" && isForTests(scope);
}

/**
 * @param {Scope} scope
 * @returns {import("./npm-dependencies.mjs").Packages}
 */
export function packagesOf(scope) {
  return scope === "server" || scope === "start" ? "server" : "all";
}

/** @param {Scope} scope */
function isForTests(scope) {
  return scope === "test" || scope === "all";
}

/**
 * @param {Scope} scope
 * @returns {readonly Part[]}
 */
function partsOf(scope) {
  if (scope === "server" || scope === "dependencies") return [];
  return SYSTEM_PARTS.filter(({ usedBy }) => scope === "all" || usedBy === "start" || usedBy === scope);
}
