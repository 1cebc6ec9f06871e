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

/** The folder that contains all our code: the repository or the compiled server. */
const CODE = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../../.." : ".", import.meta.url));

/** The argument that marks a process with its own mount namespace. */
export const OWN_MOUNTS = "own-mounts";

/** Mode bits for write permission of the group and of all users. */
const OTHERS_WRITE = 0o022;

/** The user that a program runs as. */
export type Identity = {
  readonly rights: Rights;
  /** Messages for the operator about the server's user. */
  readonly notes: readonly string[];
};

/**
 * Decides which user the server runs as. If started by root, the server gives the data folder to `RBS_USER` and acts as
 * that user from then on, but can perform steps as root until it gives up root. May restart the program.
 * @throws {Error} If the server can't run as that user.
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

/** Makes a command started by root act as the data folder's owner. May restart the program. */
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

/** @throws {ConfigError} If the user doesn't exist. */
function findOrRefuse(wanted: string | undefined): User {
  try {
    return findUser(wanted);
  } catch (error) {
    throw error instanceof Error ? new ConfigError(error.message, { cause: error.cause }) : error;
  }
}

function asRootForever(reason: string): Identity {
  return { rights: ordinaryRights, notes: [`${reason}, so the server keeps root privileges.`] };
}

/**
 * Creates the data folder, and makes the user the owner of the folder and its files, unless a user other than root
 * already owns the folder. Doesn't follow links, because the user may be able to change the parent folder.
 * @throws {Error} If the folder contains other files, or other users can write to it.
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
      `${dataDir} has files that are not the server's, or other users can write to it. Set RBS_DATA_DIR to a dedicated folder.`,
    );
  }
  for (const name of names) await lchown(join(path, name), uid, gid);
  // Change the folder last: until then, only root can change its contents.
  await folder.chown(uid, gid);
}

/**
 * Gives the user access to our code, some of which is loaded later, and to the data folder, even in a private folder
 * such as /root. Restarts the program if access needs a mount namespace, or if its child processes could gain
 * privileges.
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

/** Restarts this program in the same process. */
function runAgain(needsMounts: boolean): never {
  const { execPath, execArgv, argv, env } = process;
  const [, script = "", ...given] = argv;
  const program = [execPath, ...execArgv, script, ...given];
  const mounts = ["unshare", "--mount", "--propagation", "private", "--", ...program, `--${OWN_MOUNTS}`];
  const command = ["setpriv", "--no-new-privs", "--", ...(needsMounts ? mounts : program)];
  process.execve?.("/usr/bin/env", ["env", ...command], env);
  throw new Error("This version of Node can't restart a program in the same process.");
}
