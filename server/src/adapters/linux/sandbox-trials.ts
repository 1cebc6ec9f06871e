import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { promisify } from "node:util";
import {
  type Blocker,
  NEEDS,
  type Need,
  type Refusal,
  type Restrictions,
  findBlocker,
} from "../../domain/browser/blocker.ts";
import { readText } from "./cgroup.ts";

/** An unprivileged user, as in sandboxes. */
const UNPRIVILEGED = 65_534;
const TIMEOUT_MS = 10_000;

const IN_NAMESPACE = ["unshare", "--user", "--map-root-user"];
const SANDBOX = "bwrap --unshare-all --cap-drop ALL --ro-bind / / --proc /proc --dev /dev --".split(" ");

/** Commands that succeed if a requirement is met. */
const TRIALS: Readonly<Record<Need, readonly string[]>> = {
  namespaces: ["unshare", "--user", "true"],
  mounts: [...IN_NAMESPACE, "--mount", "mount", "-t", "tmpfs", "none", "/tmp"],
  proc: [...IN_NAMESPACE, "--pid", "--fork", "--mount-proc", "true"],
  sandbox: [...SANDBOX, "true"],
  nested: [...SANDBOX, ...IN_NAMESPACE, "--pid", "--net", "--fork", "chroot", "/", "/bin/true"],
};

/** Kernel settings for user namespaces, with values that turn them off and on. */
const SWITCHES = [
  { file: "kernel/unprivileged_userns_clone", off: "0", on: "kernel.unprivileged_userns_clone=1" },
  { file: "user/max_user_namespaces", off: "0", on: "user.max_user_namespaces=100000" },
];

/** Tests sandbox requirements. @returns The first unmet requirement and the reason, or undefined if there is none. */
export async function findSandboxBlocker(): Promise<(Blocker & Pick<Refusal, "need">) | undefined> {
  for (const need of NEEDS) {
    const output = await findRefusal(TRIALS[need]);
    if (output !== undefined) return { need, ...findBlocker({ need, output }, readRestrictions()) };
  }
  return undefined;
}

/** @returns The command's output if it failed; otherwise undefined. */
async function findRefusal([program = "", ...args]: readonly string[]): Promise<string | undefined> {
  const identity = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  try {
    await promisify(execFile)(program, args, {
      ...identity,
      cwd: "/",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" },
      timeout: TIMEOUT_MS,
    });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    return stderr === undefined || stderr === "" ? message : stderr;
  }
}

/** Reads restrictions of this process and its children. */
function readRestrictions(): Restrictions {
  const switches = SWITCHES.filter(({ file, off }) => readText(`/proc/sys/${file}`)?.trim() === off);
  const appArmor = readText("/proc/self/attr/current")
    ?.replaceAll("\0", "")
    .trim()
    // Remove the profile's mode.
    .replace(/ \(\w+\)$/, "");
  return {
    hasFilter: /^Seccomp:\s+2$/m.test(readText("/proc/self/status") ?? ""),
    appArmor: appArmor === "unconfined" || appArmor === "" ? undefined : appArmor,
    doesAppArmorRestrict: readText("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")?.trim() === "1",
    disabledBy: switches.map(({ on }) => on),
    hasNamespaces: existsSync("/proc/self/ns/user"),
    isProcMasked: / \/proc\/\S+ /.test(readText("/proc/self/mountinfo") ?? ""),
    isInChroot: isInChroot(),
  };
}

/** Compares this process's root folder with the root folder of process 1, which only root can read. */
function isInChroot(): boolean {
  try {
    const [own, first] = [statSync("/"), statSync("/proc/1/root/.")];
    return own.ino !== first.ino || own.dev !== first.dev;
  } catch {
    return false;
  }
}
