import { randomUUID } from "node:crypto";
import { Kysely } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RecordingLog } from "../../../../test/fakes/recording-log.ts";
import { startPgBouncer } from "../../../../test/support/databases/pgbouncer.ts";
import { type Postgres, startPostgres } from "../../../../test/support/databases/postgres.ts";
import { until } from "../../../../test/support/until.ts";
import { systemClock } from "../../node/system-clock.ts";
import type { Tables } from "../schema.ts";
import { PostgresChangeFeed } from "./change-feed.ts";
import { newPostgresDialect } from "./connection/pool.ts";

/** Maximum time until other servers' pages show a change, in ms. */
const ARRIVAL_MS = 1000;
const COUNT = "select count(*)::int as count from pg_stat_activity where application_name like 'remote-browser%'";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** A process's feed and the changes it has reported. Undefined means that all accounts changed. */
type Process = AsyncDisposable & {
  readonly feed: PostgresChangeFeed;
  readonly heard: (string | undefined)[];
  readonly log: RecordingLog;
  /** The number of scheduled retries. */
  readonly retries: () => number;
};

/** Starts a process with a feed, which listens unless `isListening` is false. */
async function startProcess({
  url = postgres.url,
  directUrl = postgres.url,
  isListening = true,
}: { url?: string; directUrl?: string; isListening?: boolean } = {}): Promise<Process> {
  const db = new Kysely<Tables>({ dialect: newPostgresDialect({ url, maxConnections: 2 }) });
  const log = new RecordingLog();
  let retries = 0;
  const random = (): number => {
    retries += 1;
    return 0.5;
  };
  const needs = { directUrl, clock: systemClock, log, random };
  const feed = new PostgresChangeFeed({ ...needs, db, instance: randomUUID() });
  const heard: (string | undefined)[] = [];
  if (isListening) {
    feed.listen((accountId) => heard.push(accountId));
    await expectHeard(heard, [undefined]);
  }
  return {
    feed,
    heard,
    log,
    retries: () => retries,
    async [Symbol.asyncDispose]() {
      await feed[Symbol.asyncDispose]();
      await db.destroy();
    },
  };
}

/** Waits for the expected number of reports and compares them. */
async function expectHeard(
  heard: (string | undefined)[],
  expected: readonly (string | undefined)[],
  withinMs?: number,
) {
  await until(
    () => heard,
    ({ length }) => length >= expected.length,
    withinMs,
  );
  expect(heard).toEqual(expected);
}

function countEvents({ log }: Process, event: string): number {
  return log.lines.filter((line) => line.event === event).length;
}

test("a change is reported to other processes within a second, but not to the process that published it", async () => {
  await using one = await startProcess();
  await using other = await startProcess();
  await using worker = await startProcess({ isListening: false });
  worker.feed.publish("anna");
  for (const { heard } of [one, other]) await expectHeard(heard, [undefined, "anna"], ARRIVAL_MS);
  one.feed.publish("ben");
  await expectHeard(other.heard, [undefined, "anna", "ben"], ARRIVAL_MS);
  other.feed.publish("cleo");
  await expectHeard(one.heard, [undefined, "anna", "cleo"], ARRIVAL_MS);
});

test("changes in quick succession share a notification, and a thousand changes are reported as a change to all accounts", async () => {
  await using one = await startProcess({ isListening: false });
  await using other = await startProcess();
  await using watcher = Object.assign(new Client({ connectionString: postgres.url }), {
    async [Symbol.asyncDispose]() {
      await watcher.end();
    },
  });
  let notifications = 0;
  await watcher.connect();
  watcher.on("notification", () => (notifications += 1));
  await watcher.query("listen account_changes");
  const few = Array.from({ length: 150 }, () => randomUUID());
  for (const id of [...few, ...few]) one.feed.publish(id);
  await expectHeard(other.heard, [undefined, ...few], ARRIVAL_MS);
  for (let count = 0; count < 1000; count += 1) one.feed.publish(randomUUID());
  await expectHeard(other.heard, [undefined, ...few, undefined]);
  one.feed.publish("last");
  await expectHeard(other.heard, [undefined, ...few, undefined, "last"]);
  expect(one.log.lines).toEqual([]);
  // The response arrives after all notifications.
  await watcher.query("select 1");
  expect(notifications).toBe(3);
});

test("a process whose connection was terminated reports a change to all accounts and keeps listening", async () => {
  await using one = await startProcess({ isListening: false });
  await using other = await startProcess();
  await postgres.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'remote-browser-service changes'",
  );
  await expectHeard(other.heard, [undefined, undefined]);
  one.feed.publish("anna");
  await expectHeard(other.heard, [undefined, undefined, "anna"], ARRIVAL_MS);
  expect(countEvents(other, "feed.lost")).toBe(1);
});

test("failed notifications are logged once and later reported as a change to all accounts", async () => {
  await postgres.query("create role publisher login");
  await using one = await startProcess({ url: postgres.url.replace("postgres@", "publisher@"), isListening: false });
  await using other = await startProcess();
  await postgres.query("alter role publisher nologin");
  one.feed.publish("anna");
  await until(one.retries, (count) => count >= 3);
  one.feed.publish("ben");
  await postgres.query("alter role publisher login");
  await expectHeard(other.heard, [undefined, undefined]);
  one.feed.publish("cleo");
  await expectHeard(other.heard, [undefined, undefined, "cleo"], ARRIVAL_MS);
  expect(countEvents(one, "feed.publish_failed")).toBe(1);
});

test("when the database is available again, processes report a change to all accounts and keep listening", async () => {
  await using one = await startProcess({ isListening: false });
  await using other = await startProcess();
  await postgres.stop("fast");
  await until(other.retries, (count) => count >= 3);
  await postgres.start();
  await expectHeard(other.heard, [undefined, undefined]);
  one.feed.publish("cleo");
  await expectHeard(other.heard, [undefined, undefined, "cleo"], ARRIVAL_MS);
  await until(
    () => countEvents(other, "feed.back"),
    (count) => count === 1,
  );
  expect(countEvents(other, "feed.lost")).toBe(1);
});

test("an unresponsive connection is replaced, and disposal doesn't wait for it", async () => {
  await using other = await startProcess();
  await using connected = await startProcess();
  await using connecting = await startProcess({ isListening: false });
  {
    using _ = postgres.freeze();
    connecting.feed.listen(() => {});
    const beganAt = performance.now();
    for (const { feed } of [connected, connecting]) await feed[Symbol.asyncDispose]();
    expect(performance.now() - beganAt).toBeLessThan(3000);
    await until(
      () => countEvents(other, "feed.lost"),
      (count) => count === 1,
      15_000,
    );
  }
  await expectHeard(other.heard, [undefined, undefined]);
});

test("publishing works through a pooler, and a listener that connects through a pooler logs a warning", async () => {
  await using bouncer = await startPgBouncer(postgres);
  const url = bouncer.toUrl(postgres.url);
  await using one = await startProcess({ url, isListening: false });
  await using other = await startProcess({ url });
  await using pooled = await startProcess({ url, directUrl: url });
  one.feed.publish("anna");
  await expectHeard(other.heard, [undefined, "anna"], ARRIVAL_MS);
  expect(countEvents(other, "feed.pooled")).toBe(0);
  expect(countEvents(pooled, "feed.pooled")).toBe(1);
});

test("disposal sends published changes and closes all connections", async () => {
  await using other = await startProcess();
  const one = await startProcess();
  one.feed.publish("anna");
  await one[Symbol.asyncDispose]();
  await expectHeard(other.heard, [undefined, "anna"], ARRIVAL_MS);
  await other[Symbol.asyncDispose]();
  await until(
    () => postgres.query<{ count: number }>(COUNT),
    ([row]) => row?.count === 0,
  );
  const both = await startProcess();
  await Promise.all([both[Symbol.asyncDispose](), both.feed[Symbol.asyncDispose]()]);
});
