// @ts-check
import { hasDependencies } from "./npm-dependencies.mjs";
import { hasPythonParts, PYTHON } from "./python-parts.mjs";
import { SYSTEM_PARTS } from "./system-parts.mjs";

/** @typedef {import("./system-parts.mjs").Part} Part */

/**
 * What to install: only npm packages, what `npm start` needs, or what `npm test` needs, which is everything.
 * @typedef {"dependencies" | "start" | "test"} Scope
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
  const python = scope === "test" && !hasPythonParts(root);
  const wanted = partsOf(scope).concat(python ? [PYTHON] : []);
  const present = await Promise.all(wanted.map(async (part) => part.isPresent()));
  return {
    dependencies: !hasDependencies(root),
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
  return part.stops === "start" ? scope !== "dependencies" : part.stops === "test" && scope === "test";
}

/**
 * @param {Scope} scope
 * @returns {readonly Part[]}
 */
function partsOf(scope) {
  if (scope === "dependencies") return [];
  return SYSTEM_PARTS.filter((part) => scope === "test" || part.usedBy === "start");
}
