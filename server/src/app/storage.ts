import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { argon2Hasher } from "../adapters/argon2/argon2-hasher.ts";
import { systemClock } from "../adapters/system-clock/system-clock.ts";
import { prepareOwnFolder } from "../adapters/file-system/own-folder.ts";
import { lockFolder } from "../adapters/sqlite/lock.ts";
import { openSqliteStore } from "../adapters/sqlite/sqlite-store.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../ports/log.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Store } from "../ports/store.ts";
import { Accounts } from "../services/accounts/accounts.ts";

const DATABASE = "service.sqlite";
const LOCK = "server.lock";

/** Accounts, and the books of their browsers. Disposing closes them. */
export type Storage = AsyncDisposable & {
  readonly accounts: Accounts;
  readonly store: Store;
  readonly hasher: PasswordHasher;
};

type Where = Pick<Config, "dataDir" | "plans">;

/**
 * The books in a data folder, for the command line; works beside a running server.
 * @throws {Error} Caused by a `FolderHeld`, when that server is of an earlier version: other tables would break it.
 */
export async function openStorage(config: Where): Promise<Storage> {
  return open(config, () => lockFolder(join(config.dataDir, LOCK)));
}

async function open({ dataDir, plans }: Where, claim?: () => Disposable): Promise<Storage> {
  await prepareOwnFolder(dataDir, 0o700);
  const store = await openSqliteStore(join(dataDir, DATABASE), claim);
  const hasher = argon2Hasher({ randomBytes, clock: systemClock });
  const accounts = new Accounts({ ...store, hasher, plans, clock: systemClock, newId: randomUUID, randomBytes });
  return { accounts, store, hasher, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/**
 * The same for the one server that runs on them: its folders are its own until this is disposed, and rows that a killed one
 * left open are closed.
 * @throws {Error} When another server runs in one of its folders, or one can't be used.
 */
export async function openServerStorage(config: Config, log: Log): Promise<Storage> {
  await using acquired = new AsyncDisposableStack();
  await prepareOwnFolder(config.dataDir, 0o700);
  acquired.use(lockFolder(join(config.dataDir, LOCK)));
  await prepareOwnFolder(config.workDir, 0o711);
  if (config.workDir !== config.dataDir) acquired.use(lockFolder(join(config.workDir, LOCK)));
  const books = acquired.use(await open(config));
  const lost = await books.store.browsers.closeLost();
  if (lost > 0) log.warn("browsers.lost", { browsers: lost });
  const resources = acquired.move();
  return { ...books, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
