// @ts-check
import { fileURLToPath } from "node:url";
import { hasDependencies, installDependencies } from "./npm-dependencies.mjs";
import { hasPythonParts, installPythonParts, PYTHON } from "./python-parts.mjs";
import { whyNoSandbox } from "./sandbox-check.mjs";
import { aptCommand, findRootPrefix, hasApt, howToGet, installPackages } from "./system-packages.mjs";
import { SYSTEM_PARTS } from "./system-parts.mjs";
import { askOnce, Say, seconds } from "./terminal.mjs";

/** @typedef {import("./system-parts.mjs").Part} Part */

/**
 * What to install: the server's npm packages (`server`), its npm packages and programs (`start`), all npm packages
 * (`dependencies`), everything that `npm test` needs (`test`), or everything (`all`).
 * @typedef {"server" | "start" | "dependencies" | "test" | "all"} Scope
 */

/**
 * @typedef {object} Lack What is missing.
 * @property {boolean} dependencies npm packages.
 * @property {readonly Part[]} parts System packages.
 * @property {boolean} python The virtual environment.
 */

/** @type {readonly Scope[]} */
const SCOPES = ["server", "start", "dependencies", "test", "all"];

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @param {readonly string[]} args
 * @returns {Scope | undefined} Undefined if the arguments are invalid.
 */
export function readScope(args) {
  const words = args.filter((arg) => arg !== "--yes");
  if (words.length === 0) return "all";
  return words.length === 2 && words[0] === "--for" ? SCOPES.find((scope) => scope === words[1]) : undefined;
}

/**
 * Installs missing packages and programs, and prints one line if nothing is missing.
 * @param {{ scope: Scope, isAgreed: boolean }} wish `isAgreed` allows installing system packages without asking.
 * @returns {Promise<boolean>} Whether the command that needs the set-up can continue.
 */
export async function runSetup({ scope, isAgreed }) {
  const startedMs = performance.now();
  const isPackagesOnly = scope === "server" || scope === "dependencies";
  const say = new Say(process.stdout);
  const lack = await survey(scope);
  let isReady = true;
  if (lack.dependencies || lack.python || lack.parts.length > 0) {
    isReady = await fill(say, lack, scope, isAgreed);
  } else if (!isPackagesOnly) {
    say.line(`Set-up: nothing is missing (${seconds(performance.now() - startedMs)}).`);
  }
  const obstacle = isPackagesOnly || !isReady ? undefined : await whyNoSandbox();
  if (obstacle !== undefined) say.line(`A sandbox can't be created: ${obstacle}`);
  return isReady && (obstacle === undefined || process.env["RBS_ISOLATION"] === "none");
}

/**
 * @param {Say} say
 * @param {Lack} lack
 * @param {Scope} scope
 * @param {boolean} isAgreed
 * @returns {Promise<boolean>} Whether everything essential is installed.
 */
async function fill(say, lack, scope, isAgreed) {
  const startedMs = performance.now();
  announce(say, lack);
  const mayInstall = lack.parts.length > 0 && (await settlePackages(say, lack.parts, isAgreed));
  let isReady = true;
  if (lack.dependencies) isReady = await say.step("npm packages", () => installDependencies(ROOT, packagesOf(scope)));
  if (mayInstall) await say.step("system packages", mayInstall);
  if (lack.python) {
    const isInstalled = await say.step("Python parts", () => installPythonParts(ROOT));
    isReady &&= isInstalled;
  }
  const left = lack.parts.length === 0 ? [] : (await survey(scope)).parts;
  const blocking = left.filter((part) => isEssential(part, scope));
  if (left.length > 0) {
    const names = (blocking.length > 0 ? blocking : left).map(({ name }) => name).join(", ");
    say.line(`${blocking.length > 0 ? "Can't continue without" : "Continuing without"}: ${names}.`);
    say.line(howToGet(left));
  }
  isReady &&= blocking.length === 0;
  say.line(`Set-up: ${isReady ? "done" : "not complete"} (${seconds(performance.now() - startedMs)}).`);
  return isReady;
}

/**
 * @param {Say} say
 * @param {Lack} lack
 */
function announce(say, lack) {
  const things = lack.parts.map(({ name, why }) => ({ name, why }));
  if (lack.python) things.push({ name: "Python parts", why: "the packages in requirements.txt, in .venv/" });
  if (lack.dependencies)
    things.unshift({ name: "npm packages", why: "the versions in package-lock.json, in node_modules/" });
  say.line("Set-up: the following items are missing.");
  say.list(things);
}

/**
 * Determines how to install system packages, and asks for permission on a terminal.
 * @param {Say} say
 * @param {readonly Part[]} parts
 * @param {boolean} isAgreed
 * @returns {Promise<false | (() => Promise<import("./programs.mjs").Outcome>)>} A function that installs the packages.
 */
async function settlePackages(say, parts, isAgreed) {
  const isAtTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const rootPrefix = hasApt() ? await findRootPrefix(isAtTerminal) : undefined;
  if (rootPrefix === undefined) {
    say.line(
      hasApt()
        ? "Skipping system packages: installing them requires root or sudo."
        : "Skipping system packages: they can only be installed with apt.",
    );
    return false;
  }
  say.line(`  $ ${aptCommand(parts, rootPrefix)}`);
  if (isAtTerminal && !isAgreed && !(await askOnce("Install these system packages? [Y/n] "))) return false;
  return () => installPackages(parts, rootPrefix);
}

/**
 * @param {Scope} scope
 * @returns {Promise<Lack>}
 */
async function survey(scope) {
  const python = isForTests(scope) && !hasPythonParts(ROOT);
  const wanted = partsOf(scope).concat(python ? [PYTHON] : []);
  const present = await Promise.all(wanted.map(async (part) => part.isPresent()));
  return {
    dependencies: !hasDependencies(ROOT, packagesOf(scope)),
    parts: wanted.filter((_, index) => present[index] === false),
    python,
  };
}

/**
 * Whether the scope requires this part.
 * @param {Part} part
 * @param {Scope} scope
 */
function isEssential(part, scope) {
  return part.stops === "start" ? scope === "start" || isForTests(scope) : part.stops === "test" && isForTests(scope);
}

/**
 * @param {Scope} scope
 * @returns {import("./npm-dependencies.mjs").Packages}
 */
function packagesOf(scope) {
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
