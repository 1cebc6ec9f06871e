// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./run-command.mjs";

const REQUIREMENTS = "scripts/setup/requirements.txt";

// The second is the system's, should the first be one that somebody built without ensurepip.
const PYTHONS = ["python3", "/usr/bin/python3"];

// Schemathesis asks for 3.10; Debian's python3 without python3-venv has `venv` but no `ensurepip`.
const CAN_MAKE_VENV = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

/** @type {import("./system-parts.mjs").Part} What the system has to give. */
export const PYTHON = {
  name: "Python",
  why: "runs Schemathesis, with which the conformance suite explores the contract, Selenium, and the Python client",
  usedBy: "test",
  stops: "test",
  packages: { debian: "python3 python3-venv", fedora: "python3", arch: "python" },
  isPresent: async () => (await findPython()) !== undefined,
};

/**
 * @param {string} root The workspace.
 * @returns {boolean} Whether `.venv` holds what requirements.txt pins.
 */
export function hasPythonParts(root) {
  if (!existsSync(join(root, ".venv/bin/python"))) return false;
  const stamp = stampFile(root);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wantedStamp(root);
}

/**
 * Makes `.venv` anew.
 * @param {string} root The workspace.
 * @returns {Promise<import("./run-command.mjs").Outcome>} With Python's own words when it fails.
 */
export async function installPythonParts(root) {
  const python = await findPython();
  if (python === undefined) return { isOk: false, output: "No Python ≥ 3.10 that can make a virtual environment.\n" };
  const venv = join(root, ".venv");
  const made = await runCommand(python, ["-m", "venv", "--clear", venv]);
  if (!made.isOk) return made;
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=2", "--no-compile"];
  const installed = await runCommand(join(venv, "bin/python"), [...pip, "--requirement", join(root, REQUIREMENTS)]);
  if (installed.isOk) writeFileSync(stampFile(root), wantedStamp(root));
  return installed;
}

/** @returns {Promise<string | undefined>} One that can make a virtual environment. */
async function findPython() {
  for (const python of PYTHONS) {
    const { isOk } = await runCommand(python, ["-c", CAN_MAKE_VENV]);
    if (isOk) return python;
  }
  return undefined;
}

/** @param {string} root */
function stampFile(root) {
  return join(root, ".venv/requirements.sha256");
}

/** @param {string} root */
function wantedStamp(root) {
  // Its scripts name the folder they were made in, so a moved workspace needs a new one.
  return createHash("sha256")
    .update(root)
    .update("\0")
    .update(readFileSync(join(root, REQUIREMENTS)))
    .digest("hex");
}
