import { randomBytes, randomInt } from "node:crypto";
import { type FileHandle, mkdtemp, open as openFile, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newFileKeyBox, newKeyBox } from "../../adapters/aes-gcm/file-key-box.ts";
import { newArgon2Hasher } from "../../adapters/argon2/argon2-hasher.ts";
import { prepareOwnFolder } from "../../adapters/file-system/own-folder.ts";
import { copyDatabase } from "../../adapters/sql/sqlite/copy-database.ts";
import { lockFolder } from "../../adapters/sql/sqlite/lock.ts";
import { openSqliteStore } from "../../adapters/sql/sqlite/sqlite-store.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";
import type { PostgresOptions } from "../../adapters/sql/postgres/postgres-store.ts";
import { readRequest } from "../../api/request-context.ts";
import type { Config } from "../../config/config.ts";
import type { Database } from "../../config/database.ts";
import { toTimeOrderedId } from "../../domain/time-ordered-id.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { PasswordHasher } from "../../ports/password-hasher.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import { DatabaseUnusable, type Store } from "../../ports/store/store.ts";
import type { StoreCaller } from "../../ports/store/store-caller.ts";
import { Accounts } from "../../services/accounts/accounts.ts";
import { Audit } from "../../services/operators/audit.ts";
import { LostBrowsers } from "../../services/records/lost-browsers.ts";
import type { NotedTime } from "../../services/health/clock-watch.ts";
import { readStoreSignal } from "../../services/store/store-wait.ts";
import { toPoolSize } from "./capacity.ts";

export const DATABASE = "service.sqlite";
const LOCK = "server.lock";
const COPY = "backup-";
/** In the data folder: the key that encrypts users' provider keys and open browsers' addresses. */
const KEY_FILE = "secret.key";
/** In the data folder, only with SQLite: the time at which a server last ran. */
const CLOCK_FILE = "clock.last";
const WORKER_FILE = "worker.id";

const WORKER_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** The database and its accounts. Disposing closes the database. */
export type Storage = AsyncDisposable & {
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly store: Store;
  readonly box: SecretBox;
};

/**
 * Opens a data folder's database for the command line, even while a server is running.
 * @throws {Error} With the cause `FolderInUse` if an older version of the server is running, which new tables would
 * break.
 */
export async function openStorage(config: Config): Promise<Storage> {
  const clock = systemClock;
  const ports = { clock, hasher: newArgon2Hasher({ randomBytes, clock }) };
  return openStore(config, ports, { claim: () => lockFolder(join(config.dataDir, LOCK)) });
}

/** Locks an SQLite database so that no server can use it. @throws {FolderInUse} If a server is using the database. */
export function lockDatabase(file: string): Disposable {
  return lockFolder(join(dirname(file), LOCK));
}

/** Copies the database, even while a server is running. @returns An unlinked file, which is deleted on close. */
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
 * Opens the database for a server, which owns its folders until the result is disposed. Closes the rows of browsers
 * that a killed server left open.
 * @throws {Error} If another server uses a folder, or if a folder or the database can't be used.
 */
export async function openServerStorage(config: Config, ports: StoragePorts & { readonly log: Log }): Promise<Storage> {
  await using acquired = new AsyncDisposableStack();
  await prepareOwnFolder(config.dataDir, 0o700);
  acquired.use(lockFolder(join(config.dataDir, LOCK)));
  await removeOldCopies(config.dataDir);
  if (usesWorkFolder(config)) acquired.use(await claimWorkFolder(config));
  // The server already owns its folder, so no other server has this id.
  const worker = config.database === undefined ? "" : await readWorkerId(config.dataDir);
  if (config.database !== undefined) await migrateStorage(config.database);
  const { role } = config.cluster ?? {};
  const storage = acquired.use(
    await openStore(config, ports, { worker, log: ports.log, maxConnections: toPoolSize(role) }),
  );
  const lost = acquired.use(new LostBrowsers({ ...ports, store: storage.store.browsers }));
  await lost.close();
  // PostgreSQL may still be executing a killed server's statements. SQLite runs in the server's process.
  if (config.database !== undefined) lost.start();
  const resources = acquired.move();
  return { ...storage, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Removes copies left behind by killed backups. */
async function removeOldCopies(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(COPY));
  for (const name of names) await rm(join(dataDir, name), { recursive: true });
}

/** Returns whether browsers store files in the work folder. */
export function usesWorkFolder({ isolation, areFilesOnDisk }: Pick<Config, "isolation" | "areFilesOnDisk">): boolean {
  return isolation === "none" || areFilesOnDisk;
}

async function claimWorkFolder({ workDir, dataDir, isWorkDirTemporary }: Config): Promise<AsyncDisposable> {
  await using acquired = new AsyncDisposableStack();
  // Only the server with the data folder's lock uses this folder. If it can't be removed, the next start reuses it.
  if (isWorkDirTemporary) acquired.defer(() => rm(workDir, { recursive: true }).catch(() => {}));
  await prepareOwnFolder(workDir, 0o711);
  if (workDir !== dataDir) acquired.use(lockFolder(join(workDir, LOCK)));
  return acquired.move();
}

type StoragePorts = { readonly clock: Clock; readonly hasher: PasswordHasher };

/** @returns The names of the migrations that were applied. */
export async function migrateStorage({ directUrl }: Database): Promise<readonly string[]> {
  const { migratePostgres } = await import("../../adapters/sql/postgres/migrate.ts");
  return orUnusable(migratePostgres(directUrl));
}

async function openStore(
  { dataDir, plans, database, secretKey }: Config,
  { clock, hasher }: StoragePorts,
  {
    worker = "",
    claim,
    log,
    maxConnections,
  }: { worker?: string; claim?: () => Disposable; log?: Log; maxConnections?: number },
): Promise<Storage> {
  await prepareOwnFolder(dataDir, 0o700);
  const newId = (): string => toTimeOrderedId(clock.now(), randomBytes(16));
  const box = secretKey === undefined ? newFileKeyBox(join(dataDir, KEY_FILE)) : newKeyBox(secretKey, "RBS_SECRET_KEY");
  const store =
    database === undefined
      ? await openSqliteStore(join(dataDir, DATABASE), { box, ...(claim && { claim }) })
      : await openPostgres({
          url: database.url,
          box,
          worker,
          instance: newId(),
          ...(maxConnections !== undefined && { maxConnections }),
          callers: { clock, read: readCaller },
          ...(log && { feed: { ...database, clock, log, random: () => randomInt(1000) / 1000 } }),
        });
  const accounts = new Accounts({ ...store, hasher, plans, clock, newId, randomBytes });
  const audit = new Audit({ store: store.audit, clock, newId });
  return { accounts, audit, store, box, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Requests whose account isn't known yet share one portion of the connections, and the server's tasks use another. */
function readCaller(): StoreCaller {
  const request = readRequest();
  return { share: request === undefined ? "server" : (request.account ?? "request"), signal: readStoreSignal() };
}

/** Opens PostgreSQL. Loads the PostgreSQL client only here, because most servers don't need it. */
async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { openPostgresStore } = await import("../../adapters/sql/postgres/postgres-store.ts");
  return orUnusable(openPostgresStore(options));
}

async function orUnusable<Result>(opening: Promise<Result>): Promise<Result> {
  try {
    return await opening;
  } catch (cause) {
    throw new DatabaseUnusable(cause);
  }
}

/** Reads and writes the time noted in the data folder. Reads return undefined if the time is missing or invalid. */
export function toNotedTime({ dataDir }: Pick<Config, "dataDir">): NotedTime {
  const file = join(dataDir, CLOCK_FILE);
  return {
    async read() {
      const at = Date.parse((await readFile(file, "utf8").catch(() => "")).trim());
      return Number.isNaN(at) ? undefined : new Date(at);
    },
    write: (now) => writeFile(file, `${now.toISOString()}\n`, { mode: 0o600 }),
  };
}

/** Reads the id that identifies this server in its database, even after a restart, or creates one. */
async function readWorkerId(dataDir: string): Promise<string> {
  const file = join(dataDir, WORKER_FILE);
  const known = await readFile(file, "utf8").catch(() => "");
  if (/^[a-z0-9]{8}$/.test(known)) return known;
  const id = Array.from({ length: 8 }, () => WORKER_LETTERS[randomInt(WORKER_LETTERS.length)]).join("");
  await writeFile(file, id, { mode: 0o600 });
  return id;
}
