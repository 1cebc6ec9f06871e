import { afterAll, beforeAll } from "vitest";
import type { Account } from "../../../src/domain/account/account.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import type { NewToken } from "../../../src/ports/store/token-store.ts";
import { startPgBouncer } from "./pgbouncer.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { HAS_VARIANTS } from "../variants.ts";
import { newPostgresStore, openTestPostgresStore, openTestStore } from "./stores.ts";

type SqlEngine = {
  readonly name: string;
  /** Number of runs of each property test. */
  readonly runs: number;
  openStore(): Promise<Store>;
};

/** Starts the databases that stores support, PgBouncer only when a test needs it, and stops them after the tests. */
export function startSqlEngines(): readonly SqlEngine[] {
  let postgres: Postgres;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>> | undefined;
  beforeAll(async () => {
    // A zone other than UTC, to detect timestamps that depend on the zone.
    postgres = await startPostgres({ timezone: "Asia/Kolkata" });
  });
  afterAll(async () => {
    await bouncer?.[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });
  const openThroughBouncer = async (): Promise<Store> => {
    const direct = await newPostgresStore(postgres);
    await direct.store[Symbol.asyncDispose]();
    bouncer ??= await startPgBouncer(postgres);
    return openTestPostgresStore(bouncer.toUrl(direct.url));
  };
  return [
    { name: "SQLite", runs: 40, openStore: () => openTestStore() },
    { name: "PostgreSQL", runs: 10, openStore: async () => (await newPostgresStore(postgres)).store },
    ...(HAS_VARIANTS ? [{ name: "PostgreSQL through PgBouncer", runs: 3, openStore: openThroughBouncer }] : []),
  ];
}

const createdAt = new Date("2026-11-21T10:00:00.000Z");

export const ACCOUNT: Account = {
  id: "account",
  email: "Someone@Example.com",
  plan: "small",
  parallel: 3,
  units: undefined,
  hasAdditionalUnits: false,
  isDisabled: false,
  isOperator: false,
  createdAt,
  version: 0,
};

/** Returns a token that differs from other tokens only in its hash. */
export function toToken(hash: string): NewToken {
  return { hash, id: `id of ${hash}`, name: "first", prefix: "rbs_abcd", createdAt };
}

/** Creates a store with `ACCOUNT` and its token. */
export async function openWithAccount(openStore: () => Promise<Store>): Promise<Store> {
  const store = await openStore();
  await store.accounts.create(ACCOUNT, { token: toToken("hash") });
  return store;
}

/** Returns a reservation for one of the account's browsers, made when the account was created. */
export function toReservation(browserId: string) {
  return {
    browserId,
    accountId: ACCOUNT.id,
    version: 0,
    kind: "chromium",
    isHeadless: true,
    tags: [],
    label: undefined,
    requestedAt: createdAt,
    period: "2026-11",
  } as const;
}
