import { randomBytes, randomUUID } from "node:crypto";
import { type FileHandle, mkdtemp, open as openFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { newArgon2Hasher } from "../adapters/argon2/argon2-hasher.ts";
import { prepareOwnFolder } from "../adapters/file-system/own-folder.ts";
import { copyDatabase } from "../adapters/sqlite/copy-database.ts";
import { lockFolder } from "../adapters/sqlite/lock.ts";
import { openSqliteStore } from "../adapters/sqlite/sqlite-store.ts";
import { systemClock } from "../adapters/system-clock/system-clock.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../ports/store.ts";
import { Accounts } from "../services/accounts/accounts.ts";
import type { Ports } from "./ports.ts";

export const DATABASE = "service.sqlite";
const LOCK = "server.lock";
const COPY = "backup-";

/** The database, and the accounts in it. Disposing closes it. */
export type Storage = AsyncDisposable & { readonly accounts: Accounts; readonly store: Store };

/**
 * Opens a data folder's database for the command line, which works while a server is running.
 * @throws {Error} Caused by `FolderInUse`, when an older version of the server is running: new tables would break it.
 */
export async function openStorage(config: Config): Promise<Storage> {
  const clock = systemClock;
  return open(config, { clock, hasher: newArgon2Hasher({ randomBytes, clock }) }, () =>
    lockFolder(join(config.dataDir, LOCK)),
  );
}

/**
 * Copies the database, also while a server is running.
 * @returns An unlinked file: closing it deletes it.
 */
export async function copyStorage({ dataDir }: Pick<Config, "dataDir">): Promise<FileHandle> {
  const folder = await mkdtemp(join(dataDir, COPY));
  try {
    const file = join(folder, DATABASE);
    copyDatabase(join(dataDir, DATABASE), file);
    return await openFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Opens the database for a server. The server owns its folders until this is disposed. Rows of browsers that a killed
 * server left open are closed.
 * @throws {Error} If another server uses one of the folders, or a folder can't be used.
 */
export async function openServerStorage(config: Config, ports: Pick<Ports, Used | "log">): Promise<Storage> {
  await using acquired = new AsyncDisposableStack();
  await prepareOwnFolder(config.dataDir, 0o700);
  acquired.use(lockFolder(join(config.dataDir, LOCK)));
  await removeOldCopies(config.dataDir);
  if (usesWorkFolder(config)) acquired.use(await claimWorkFolder(config));
  const storage = acquired.use(await open(config, ports));
  const lost = await storage.store.browsers.closeLost();
  if (lost > 0) ports.log.warn("browsers.lost", { browsers: lost });
  const resources = acquired.move();
  return { ...storage, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Removes what backups that were killed have left. */
async function removeOldCopies(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(COPY));
  for (const name of names) await rm(join(dataDir, name), { recursive: true });
}

/** Whether browsers have files there. */
export function usesWorkFolder({ isolation, areFilesOnDisk }: Pick<Config, "isolation" | "areFilesOnDisk">): boolean {
  return isolation === "none" || areFilesOnDisk;
}

async function claimWorkFolder({ workDir, dataDir, isWorkDirTemporary }: Config): Promise<AsyncDisposable> {
  await using acquired = new AsyncDisposableStack();
  // Only the owner of the data folder's lock uses this folder. What can't be removed is left to the next start.
  if (isWorkDirTemporary) acquired.defer(() => rm(workDir, { recursive: true }).catch(() => {}));
  await prepareOwnFolder(workDir, 0o711);
  if (workDir !== dataDir) acquired.use(lockFolder(join(workDir, LOCK)));
  return acquired.move();
}

type Used = "clock" | "hasher";

async function open(
  { dataDir, plans }: Config,
  { clock, hasher }: Pick<Ports, Used>,
  claim?: () => Disposable,
): Promise<Storage> {
  await prepareOwnFolder(dataDir, 0o700);
  const store = await openSqliteStore(join(dataDir, DATABASE), claim);
  const accounts = new Accounts({ ...store, hasher, plans, clock, newId: randomUUID, randomBytes });
  return { accounts, store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
