import { join } from "node:path";
import { readText } from "./cgroup.ts";

/** Numbers of capabilities: capabilities(7). */
const [CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_SETGID, CAP_SETUID, CAP_SYS_ADMIN] = [0, 1, 6, 7, 21];

/** Above the users of sandboxes. */
const ALL_USERS = 0x7fff_ffff;

/** What the kernel allows this process. */
export type Status = {
  /** Whether root started it. It may act as another user by now. */
  readonly isRoot: boolean;
  /** Whether it can become another user, and give files to that user. */
  readonly canChangeUser: boolean;
  /** Whether it can mount file systems, and make namespaces with more than one user. */
  readonly canMount: boolean;
  /** Whether programs that it starts can't gain rights. */
  readonly hasNoNewRights: boolean;
  /** How many users it can name, from 0 on: in some containers, only 65,536. */
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

/** Whether each sandbox can have its own user: only with root's rights, which containers usually limit. */
export function canUseOwnUsers(isolation: "sandbox" | "none", root = "/"): boolean {
  const { isRoot, canMount, users } = readStatus(root);
  return isRoot && users > ALL_USERS && (isolation === "none" || canMount);
}

/** The length of the first range of user_namespaces(7), which begins with 0 for root. */
function countUsers(map = ""): number {
  return Number(/^\s*0\s+\d+\s+(\d+)/.exec(map)?.[1] ?? 0);
}
