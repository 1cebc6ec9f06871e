// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./programs.mjs";

const REQUIREMENTS = "scripts/setup/requirements.txt";

// The system's Python is a fallback for a python3 on the PATH that was built without ensurepip.
const PYTHONS = ["python3", "/usr/bin/python3"];

// Schemathesis requires Python 3.10. Without python3-venv, Debian's python3 has `venv`, but not `ensurepip`.
const CAN_MAKE_VENV = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

/** @type {import("./system-parts.mjs").Part} */
export const PYTHON = {
  name: "Python",
  why: "runs Selenium, the Python client, and Schemathesis, which the conformance suite uses",
  usedBy: "test",
  stops: "test",
  packages: { debian: "python3 python3-venv", fedora: "python3", arch: "python" },
  isPresent: async () => (await findPython()) !== undefined,
};

/** Whether `.venv` contains the packages that requirements.txt pins. @param {string} root The workspace. */
export function hasPythonParts(root) {
  if (!existsSync(join(root, ".venv/bin/python"))) return false;
  const stamp = stampFile(root);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wantedStamp(root);
}

/** Replaces `.venv`. @param {string} root The workspace. */
export async function installPythonParts(root) {
  const python = await findPython();
  if (python === undefined)
    return { isOk: false, output: "There is no Python ≥ 3.10 that can create a virtual environment.\n" };
  const venv = join(root, ".venv");
  const made = await runCommand(python, ["-m", "venv", "--clear", venv]);
  if (!made.isOk) return made;
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=2", "--no-compile"];
  const installed = await runCommand(join(venv, "bin/python"), [...pip, "--requirement", join(root, REQUIREMENTS)]);
  if (installed.isOk) writeFileSync(stampFile(root), wantedStamp(root));
  return installed;
}

/** Finds a Python that can create a virtual environment. */
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
  // The scripts in `.venv` contain its path, so a moved workspace needs a new `.venv`.
  return createHash("sha256")
    .update(root)
    .update("\0")
    .update(readFileSync(join(root, REQUIREMENTS)))
    .digest("hex");
}
