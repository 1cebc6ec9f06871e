// @ts-check

const OLDEST_MAJOR = 20;

/**
 * Says what to do when the machine's Node is too old to install the workspace's own.
 * @param {string} version As `process.versions.node` spells it.
 * @returns {boolean} Whether it is too old.
 */
export function refuseOldNode(version) {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return false;
  process.stderr.write(
    `Node ${version} is too old: ${OLDEST_MAJOR} or newer is needed to begin (the workspace then brings its own 24).\n` +
      "Get it from https://nodejs.org/en/download or your distribution.\n",
  );
  return true;
}
