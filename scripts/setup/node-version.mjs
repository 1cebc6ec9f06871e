// @ts-check

const OLDEST_MAJOR = 20;

/**
 * Prints what to do if the machine's Node is too old to run the set-up.
 * @param {string} version The value of `process.versions.node`.
 * @returns {boolean} Whether it is too old.
 */
export function refuseOldNode(version) {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return false;
  process.stderr.write(
    `Node ${version} is too old: ${OLDEST_MAJOR} or newer is required (the workspace then installs its own Node 24).\n` +
      "Get it from https://nodejs.org/en/download or your distribution.\n",
  );
  return true;
}
