// @ts-check
import { readFileSync } from "node:fs";
import { runCommand } from "./programs.mjs";

// An unprivileged user id, like the ids that browsers run with.
const UNPRIVILEGED = 65_534;

/** @type {readonly { file: string, blocked: string, command: string }[]} */
const SWITCHES = [
  {
    file: "/proc/sys/kernel/unprivileged_userns_clone",
    blocked: "0",
    command: "sysctl kernel.unprivileged_userns_clone=1",
  },
  {
    file: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    blocked: "1",
    command: "sysctl kernel.apparmor_restrict_unprivileged_userns=0",
  },
  { file: "/proc/sys/user/max_user_namespaces", blocked: "0", command: "sysctl user.max_user_namespaces=15000" },
];

/**
 * Tries to create a sandbox as an unprivileged user.
 * @returns {Promise<string | undefined>} The error and how to fix it; undefined if the sandbox works.
 */
export async function whyNoSandbox() {
  const isRoot = process.getuid?.() === 0;
  const { isOk, output } = await runCommand(
    "bwrap",
    ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "true"],
    isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED, cwd: "/" } : { cwd: "/" },
  );
  return isOk ? undefined : `${output.trim()}\n${remedy()}`;
}

function remedy() {
  const found = SWITCHES.filter(({ file, blocked }) => readSwitch(file) === blocked);
  if (found.length > 0) {
    return `Unprivileged user namespaces are disabled. As root: ${found.map((each) => each.command).join(" && ")}`;
  }
  return (
    "Unprivileged user namespaces don't work on this system. A container must allow them (Docker: `--security-opt\n" +
    "seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`). They don't work in a\n" +
    "chroot. With RBS_ISOLATION=none, the server needs no sandboxes, but browsers are not isolated from each other."
  );
}

/** @param {string} file */
function readSwitch(file) {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}
