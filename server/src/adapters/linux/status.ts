import { join } from "node:path";
import { readText } from "./cgroup.ts";

/** See capabilities(7). */
const [CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_SETGID, CAP_SETUID, CAP_SYS_ADMIN] = [0, 1, 6, 7, 21];

/** Higher than the user ids of all sandboxes. */
const ALL_USERS = 0x7fff_ffff;

/** The rights of this process. */
export type Status = {
  /** Whether the process was started as root, even if it now runs as another user. */
  readonly isRoot: boolean;
  /** Whether the process can become another user and change the owner of files. */
  readonly canChangeUser: boolean;
  /** Whether the process can mount file systems and create namespaces with several users. */
  readonly canMount: boolean;
  /** Whether child processes can never gain rights. */
  readonly hasNoNewRights: boolean;
  /** Number of user ids, counting from 0; only 65,536 in some containers. */
  readonly users: number;
};

/** @param root The root of the file system. */
export function readStatus(root = "/"): Status {
  const status = readText(join(root, "proc/self/status")) ?? "";
  const read = (name: string): string => new RegExp(`^${name}:\\s+([\\da-f]+)`, "m").exec(status)?.[1] ?? "0";
  const capabilities = BigInt(`0x${read("CapPrm")}`);
  const has = (capability: number): boolean => ((capabilities >> BigInt(capability)) & 1n) === 1n;
  return {
    isRoot: /^Uid:\s+0\b/m.test(status),
    canChangeUser: [CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_SETGID, CAP_SETUID].every(has),
    canMount: has(CAP_SYS_ADMIN),
    hasNoNewRights: read("NoNewPrivs") === "1",
    users: countUsers(readText(join(root, "proc/self/uid_map"))),
  };
}

/** Whether each sandbox can have its own user. This requires root privileges, which containers usually limit. */
export function canUseOwnUsers(isolation: "sandbox" | "none", root = "/"): boolean {
  const { isRoot, canMount, users } = readStatus(root);
  return isRoot && users > ALL_USERS && (isolation === "none" || canMount);
}

/** Returns the length of the first range in user_namespaces(7), which begins with root. */
function countUsers(map = ""): number {
  return Number(/^\s*0\s+\d+\s+(\d+)/.exec(map)?.[1] ?? 0);
}
