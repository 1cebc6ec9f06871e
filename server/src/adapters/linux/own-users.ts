import { join } from "node:path";
import { readText } from "./cgroup.ts";

const CAP_SYS_ADMIN = 1n << 21n;

/**
 * Whether each sandbox can have its own user: as root. To make namespaces with more than one user, root also needs
 * `CAP_SYS_ADMIN`, which containers usually lack.
 * @param root The root of the file system.
 */
export function canUseOwnUsers(isolation: "sandbox" | "none", root = "/"): boolean {
  const status = readText(join(root, "proc/self/status")) ?? "";
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
  const [, capabilities = "0"] = /^CapEff:\s+([\da-f]+)$/m.exec(status) ?? [];
  return uid === "0" && (isolation === "none" || (BigInt(`0x${capabilities}`) & CAP_SYS_ADMIN) !== 0n);
}
