import { execFileSync } from "node:child_process";
import { readStatus } from "./status.ts";

/** A user on this machine, with the user's primary group. */
export type User = {
  /** The user id if the user has no name. */
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
};

/** User ids that nothing else uses: above the sandboxes' ids, or just below a container's last id. */
const [FREE_UID, CONTAINERS_FREE_UID] = [0x7010_0000, 65_000];

/** Returns an unassigned user id. @param index 0 for the server's user, 1 for the broker's. */
export function toFreeUser(index: 0 | 1): number {
  return (readStatus().users > FREE_UID ? FREE_UID : CONTAINERS_FREE_UID) + index;
}

/**
 * Finds the user that the server runs as when root starts it.
 * @param wanted A name or a number. A number doesn't need an account.
 * @throws {Error} If the machine has no user with this name.
 */
export function findUser(wanted = String(toFreeUser(0))): User {
  const [name, , uid, gid] = readAccount(wanted).split(":");
  if (name !== undefined && uid !== undefined && gid !== undefined) return { name, uid: Number(uid), gid: Number(gid) };
  if (!/^\d+$/.test(wanted))
    throw new Error(`RBS_USER: this machine has no user ${wanted}. Create this user or set another one.`);
  return { name: wanted, uid: Number(wanted), gid: Number(wanted) };
}

/** Returns the account's passwd(5) entry, or an empty string if the account doesn't exist. */
function readAccount(wanted: string): string {
  try {
    return execFileSync("getent", ["passwd", wanted], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}
