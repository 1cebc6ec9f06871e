import { constants, existsSync, readlinkSync, statSync } from "node:fs";
import { lchown, lstat, open, readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../../adapters/file-system/own-folder.ts";
import { canSearch, findClosed, openClosed } from "../../adapters/linux/reach.ts";
import { actAs, avoidOutOfMemory } from "../../adapters/linux/root-rights.ts";
import { readStatus } from "../../adapters/linux/status.ts";
import { closeInherited, leaveTerminal } from "../../adapters/linux/inherited.ts";
import { type User, findUser } from "../../adapters/linux/user.ts";
import { type Config, ConfigError } from "../../config/config.ts";
import { type Rights, ordinaryRights } from "../../ports/rights.ts";
import { DATABASE } from "./storage.ts";

/** The folder that all our code is in: of the repository, or of the compiled server. */
const CODE = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../../.." : ".", import.meta.url));

/** In the arguments of a process that has a mount namespace of its own. */
export const OWN_MOUNTS = "own-mounts";

/** Bits of a mode: the group and all users can write. */
const OTHERS_WRITE = 0o022;

/** Who a program of ours runs as. */
export type Identity = {
  readonly rights: Rights;
  /** What the operator should know about it, one sentence each. */
  readonly notes: readonly string[];
};

/**
 * Decides which user the server runs as. If root started it, it acts as `RBS_USER` from now on, its data folder belongs
 * to that user, and a few more steps can be done as root until it gives that up. May run the program again, from its
 * beginning.
 * @throws {Error} If it can't run as that user.
 */
export async function chooseIdentity(config: Config): Promise<Identity> {
  const { isRoot, canChangeUser } = readStatus();
  if (!isRoot) {
    if (config.user !== undefined && findUser(config.user).uid !== process.getuid?.()) {
      throw new ConfigError(`RBS_USER is ${config.user}, but only root can run the server as another user.`);
    }
    return { rights: ordinaryRights, notes: [] };
  }
  const user = findOrRefuse(config.user);
  if (user.uid === 0) return asRootForever("RBS_USER is root");
  if (config.isolation === "none") return asRootForever("RBS_ISOLATION is none");
  if (!canChangeUser) return asRootForever("This container does not let the server change its user");
  closeInherited();
  avoidOutOfMemory();
  await leaveTerminal();
  await handOver(config.dataDir, user);
  ensureReach(config, user);
  const note = `The server runs as user ${user.name}. To choose another user, set RBS_USER.`;
  return { rights: actAs(user), notes: [note] };
}

/** Makes a command of root's act as the user that the data folder belongs to. May run the program again. */
export async function actAsOwner(config: Config): Promise<void> {
  const { isRoot, canChangeUser } = readStatus();
  if (!isRoot || !canChangeUser || config.isolation === "none") return;
  const owner = existsSync(config.dataDir) ? statSync(config.dataDir).uid : 0;
  const user = findUser(owner === 0 ? config.user : String(owner));
  if (user.uid === 0) return;
  await handOver(config.dataDir, user);
  ensureReach(config, user);
  actAs(user).giveUp();
}

/** @throws {ConfigError} If there is no such user. */
function findOrRefuse(wanted: string | undefined): User {
  try {
    return findUser(wanted);
  } catch (error) {
    throw error instanceof Error ? new ConfigError(error.message, { cause: error.cause }) : error;
  }
}

function asRootForever(reason: string): Identity {
  return { rights: ordinaryRights, notes: [`${reason}, so the server keeps root's rights.`] };
}

/**
 * Creates the data folder, or gives it to the user with all it contains, unless it has an owner already. Follows no
 * links, because the folder may lie in one of the user's.
 * @throws {Error} If it has other files, or other users could have put some in it.
 */
async function handOver(dataDir: string, { uid, gid }: User): Promise<void> {
  await makeFolder(dataDir, 0o700);
  if ((await lstat(dataDir)).uid !== 0) return;
  await using folder = await open(await realpath(dataDir), constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const stats = await folder.stat();
  if (stats.uid !== 0) return;
  const path = `/proc/self/fd/${folder.fd}`;
  const names = await readdir(path);
  if ((stats.mode & OTHERS_WRITE) !== 0 || (names.length > 0 && !names.includes(DATABASE))) {
    throw new ConfigError(
      `${dataDir} has files that are not the server's, or other users can write to it. Set RBS_DATA_DIR to a folder of its own.`,
    );
  }
  for (const name of names) await lchown(join(path, name), uid, gid);
  // Last: until then, only root can change what is in it.
  await folder.chown(uid, gid);
}

/**
 * Lets the user reach our code, which loads late in part, and the data folder, even below a closed folder such as
 * /root. Runs the program again if that needs a mount namespace, or if programs that it starts could gain rights.
 */
function ensureReach({ dataDir }: Config, user: User): void {
  if (!canSearch(CODE, user)) {
    throw new ConfigError(`User ${user.name} can't enter ${CODE}. Let all users enter and read it, or set RBS_USER.`);
  }
  const closed = findClosed([CODE, dataDir, dirname(process.execPath)], user);
  const { canMount, hasNoNewRights } = readStatus();
  const hasOwnMounts = process.argv.includes(`--${OWN_MOUNTS}`);
  const [first] = closed;
  if (first !== undefined && !canMount) {
    throw new ConfigError(`User ${user.name} can't enter ${first.folder}. Move the server out of it, or set RBS_USER.`);
  }
  const needsMounts = first !== undefined && !hasOwnMounts;
  if (needsMounts || !hasNoNewRights) runAgain(needsMounts);
  if (first !== undefined && readlinkSync("/proc/self/ns/mnt") === readlinkSync(`/proc/${process.ppid}/ns/mnt`)) {
    throw new Error(`--${OWN_MOUNTS} is not for users: this process has no mount namespace of its own.`);
  }
  openClosed(closed);
}

/** Replaces this program with itself: the process stays the same. */
function runAgain(needsMounts: boolean): never {
  const { execPath, execArgv, argv, env } = process;
  const [, script = "", ...given] = argv;
  const program = [execPath, ...execArgv, script, ...given];
  const mounts = ["unshare", "--mount", "--propagation", "private", "--", ...program, `--${OWN_MOUNTS}`];
  const command = ["setpriv", "--no-new-privs", "--", ...(needsMounts ? mounts : program)];
  process.execve?.("/usr/bin/env", ["env", ...command], env);
  throw new Error("This Node can't run a program again.");
}
