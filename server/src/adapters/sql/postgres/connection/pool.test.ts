import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPgBouncer } from "../../../../../test/support/databases/pgbouncer.ts";
import { type Postgres, startPostgres } from "../../../../../test/support/databases/postgres.ts";
import { until } from "../../../../../test/support/until.ts";
import type { StoreCaller } from "../../../../ports/store/store-caller.ts";
import { ShareUsed, StoreUnavailable } from "../../../../ports/store/store.ts";
import { systemClock } from "../../../node/system-clock.ts";
import { newPostgresDialect } from "./pool.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const GONE = new StoreUnavailable("The caller has given up.");

/** Opens a pool that only `caller` uses. */
function connect(limits: Partial<Parameters<typeof newPostgresDialect>[0]> = {}) {
  const caller: { -readonly [Member in keyof StoreCaller]: StoreCaller[Member] } = { share: "anna", signal: undefined };
  const callers = { clock: systemClock, read: () => caller };
  const db = new Kysely<unknown>({
    dialect: newPostgresDialect({ url: postgres.url, maxConnections: 1, connectTimeoutMs: 20_000, callers, ...limits }),
  });
  return { db, caller, [Symbol.asyncDispose]: () => db.destroy() };
}

const SLEEP = "select pg_sleep(60)";

/** Returns the number of test statements that PostgreSQL is executing. */
async function running(): Promise<number> {
  const [row] = await postgres.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where state = 'active' and query = '${SLEEP}'`,
  );
  return row?.n ?? 0;
}
const areRunning = (count: number): Promise<number> => until(running, (now) => now === count);

test.each(["no pooler", "transaction"] as const)(
  "a statement whose caller gives up is cancelled, and the next one uses its connection: %s",
  async (mode) => {
    await using bouncer = mode === "transaction" ? await startPgBouncer(postgres, mode) : undefined;
    await using pool = connect({ url: bouncer?.toUrl(postgres.url) ?? postgres.url });
    const { db, caller } = pool;
    const leaving = new AbortController();
    caller.signal = leaving.signal;
    const failing = sql
      .raw(SLEEP)
      .execute(db)
      .catch((error: unknown) => error);
    await areRunning(1);
    caller.signal = undefined;
    const next = sql<{ one: number }>`select 1 as one`.execute(db);
    leaving.abort(GONE);
    expect(await failing).toMatchObject({ name: "StoreUnavailable", isOutcomeUnknown: false });
    expect((await next).rows).toEqual([{ one: 1 }]);
    expect(await running()).toBe(0);
  },
);

test("a transaction whose caller gives up is rolled back", async () => {
  await using pool = connect();
  const { db, caller } = pool;
  await sql`create table notes as select 1 as number`.execute(db);
  const leaving = new AbortController();
  caller.signal = leaving.signal;
  const changing = db.transaction().execute(async (trx) => {
    await sql`insert into notes values (2)`.execute(trx);
    leaving.abort(GONE);
    await sql`insert into notes values (3)`.execute(trx);
  });
  await expect(changing).rejects.toBe(GONE);
  caller.signal = undefined;
  expect((await sql`select number from notes`.execute(db)).rows).toEqual([{ number: 1 }]);
});

test("a statement is cancelled at its time limit", async () => {
  await using pool = connect({ queryTimeoutMs: 100 });
  await expect(sql.raw(SLEEP).execute(pool.db)).rejects.toMatchObject({ isOutcomeUnknown: false });
  await areRunning(0);
});

test("a statement that a frozen database doesn't cancel may still take effect, and its connection isn't reused", async () => {
  await using pool = connect();
  const { db, caller } = pool;
  await sql`select 1`.execute(db);
  const leaving = new AbortController();
  {
    using _frozen = postgres.freeze();
    caller.signal = leaving.signal;
    const failing = sql`select 1`.execute(db);
    await new Promise(setImmediate);
    leaving.abort(GONE);
    await expect(failing).rejects.toMatchObject({ name: "StoreUnavailable", isOutcomeUnknown: true });
  }
  caller.signal = undefined;
  expect((await sql`select 2 as two`.execute(db)).rows).toEqual([{ two: 2 }]);
});

test("one caller's statements use at most half of the connections, and its waiting statements aren't sent", async () => {
  await using pool = connect({ maxConnections: 4, connectTimeoutMs: 300 });
  const { db, caller } = pool;
  const leaving = new AbortController();
  caller.signal = leaving.signal;
  const failing = Promise.allSettled([1, 2].map(() => sql.raw(SLEEP).execute(db)));
  await areRunning(2);
  const third = sql`select 1`.execute(db).catch((error: unknown) => error);
  caller.share = "ben";
  expect((await sql`select 2 as two`.execute(db)).rows).toEqual([{ two: 2 }]);
  const refusal = await third;
  expect(refusal).toBeInstanceOf(ShareUsed);
  expect(refusal).toMatchObject({ isOutcomeUnknown: false });
  leaving.abort(GONE);
  await failing;
});

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
const ACCEPTED = [toMessage("R", Buffer.alloc(4)), toMessage("Z", Buffer.from("I"))];
const TERMINATED = toMessage("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0"));
/** PostgreSQL's response after a restart with a full disk. */
const FULL = toMessage("E", Buffer.from("SFATAL\0CXX000\0Mcould not write init file\0\0"));

test.each<[string, readonly Buffer[]]>([
  ["accepts and closes in one packet", [...ACCEPTED, TERMINATED]],
  ["rejects because its disk is full", [FULL]],
])("a connection that PostgreSQL %s affects only its own query", async (_, answer) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat(answer)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const database = new Kysely<object>({
    dialect: newPostgresDialect({ url: `postgres://user@127.0.0.1:${port}/any` }),
  });
  try {
    await expect(sql`select 1`.execute(database)).rejects.toThrow(StoreUnavailable);
  } finally {
    await database.destroy();
    server.close();
  }
});

function toMessage(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5, type);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}
