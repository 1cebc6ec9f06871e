import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Deployment, KEY, startServers } from "../support/servers/deployment.ts";
import { expectExact } from "../support/databases/exact.ts";
import { openHome } from "../support/servers/home.ts";
import { type Postgres, startPostgres } from "../support/databases/postgres.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";

/**
 * Maximum time until an Open request is refused while the database is unavailable. A request waits for the database for
 * 1.5 s, and a busy machine responds later. Without the 1.5 s limit, the request would wait for the 10 s that a query
 * may take.
 */
const REFUSED_MS = 9000;

/** Servers reuse a token's data for up to 0.8 s. */
const TOKEN_MS = 1500;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 30 });
});
afterAll(() => postgres[Symbol.asyncDispose]());

describe("while the database is unavailable", () => {
  let deployment: Deployment;
  let server: RealServer;
  beforeAll(async () => {
    deployment = await startServers(postgres, 1, { RBS_CAPACITY: "1000" });
    server = deployment.servers[0] as RealServer;
  });
  afterAll(() => deployment[Symbol.asyncDispose]());

  async function expectRefused(): Promise<void> {
    const startedMs = performance.now();
    const { status, headers } = await fetch(new URL("/api/v1/Browser/Open", server.url), {
      method: "POST",
      headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
      body: "{}",
    });
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    const readStatus = async (): Promise<number> => (await server.get(server.token)).status;
    await until(readStatus, (read) => read === 503, TOKEN_MS);
    expect(performance.now() - startedMs).toBeLessThan(REFUSED_MS);
    const askedMs = performance.now();
    expect((await fetch(new URL("/readyz", server.url))).status).toBe(503);
    expect(performance.now() - askedMs).toBeLessThan(REFUSED_MS);
  }

  async function expectRecovered(): Promise<void> {
    await until(
      async () => (await fetch(new URL("/readyz", server.url))).status,
      (status) => status === 200,
    );
    // The server must complete the writes that failed during the outage.
    await until(
      () => deployment.query<{ n: number }>("select count(*)::int as n from browsers where state = 'opening'"),
      ([row]) => row?.n === 0,
    );
    const address = await server.open();
    await server.close(address);
    await expectExact(deployment.query);
  }

  test.each(["fast", "immediate"] as const)(
    "stopped in %s mode: Open requests are refused, browsers stay open, and a Close is recorded later",
    async (mode) => {
      const [kept, closed] = [await server.open(), await server.open()];
      await postgres.stop(mode);
      try {
        await expectRefused();
        const devtools = new WebSocket(kept);
        await new Promise((resolve, reject) => {
          devtools.addEventListener("open", resolve);
          devtools.addEventListener("error", reject);
        });
        devtools.close();
      } finally {
        await postgres.start();
      }
      await server.close(closed);
      await server.close(kept);
      await expectRecovered();
    },
    60_000,
  );

  test("frozen: the server responds in time to requests in progress, and undoes writes that the database completes late", async () => {
    const addresses: string[] = [];
    const statuses = new Set<number>();
    let slowestMs = 0;
    const openUntil = async (over: AbortSignal): Promise<void> => {
      while (!over.aborted) {
        const startedMs = performance.now();
        const { status, body } = await server.post("Open", { Headless: true, KeepOpen: 600 });
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
        statuses.add(status);
        if (status === 200) addresses.push(String(body["address"]));
      }
    };
    for (let round = 0; round < 2; round += 1) {
      const [over, before] = [new AbortController(), addresses.length];
      const clients = Array.from({ length: 10 }, () => openUntil(over.signal));
      await until(
        () => addresses.length,
        (count) => count > before,
      );
      {
        using _frozen = postgres.freeze();
        await wait(100);
        await expectRefused();
        over.abort();
        await Promise.all(clients);
      }
    }
    expect(statuses).toEqual(new Set([200, 503]));
    expect(slowestMs).toBeLessThan(REFUSED_MS);
    await until(
      () => deployment.query<{ n: number }>("select count(*)::int as n from browsers where state <> 'closed'"),
      ([row]) => row?.n === addresses.length,
    );
    await Promise.all(addresses.map((address) => server.close(address)));
    await expectRecovered();
  });

  test("an account whose rows are locked doesn't delay other accounts", async () => {
    const [other, locked] = await Promise.all(
      ["other", "locked"].map((name) => deployment.newAccount(`${name}@example.com`)),
    );
    await Promise.all([other, locked].map((token) => server.post("Open", {}, token)));
    const keepLocked = deployment.query(
      "with held as materialized (select l.* from account_load l join accounts a on a.id = l.account_id " +
        "where a.email like 'locked%' for update of l) select pg_sleep(8) from held",
    );
    const count = async (condition: string): Promise<number> => {
      const [row] = await deployment.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where ${condition}`,
      );
      return row?.n ?? 0;
    };
    const isLocked = () => count("wait_event = 'PgSleep'").then((sleeping) => sleeping > 0);
    await until(isLocked, Boolean);
    const opens = Array.from({ length: 8 }, () => server.post("Open", {}, locked));
    await until(
      () => count("wait_event_type = 'Lock'"),
      (waiting) => waiting > 1,
    );
    const askOthers = async (): Promise<number[]> => {
      const asked = [server.get(other), server.post("Open", {}, other), fetch(new URL("/readyz", server.url))];
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    await until(askOthers, (statuses) => isDeepStrictEqual(statuses, [200, 200, 200]));
    expect(await isLocked()).toBe(true);
    const refused = await Promise.all(opens);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused.map(({ body }) => body["message"])).toContain(
      "Too many requests are waiting for their share of the server's database. Try again in 5 s.",
    );
    await keepLocked;
    // The refused requests had no effect, so nothing had to be undone.
    const versions =
      "select l.version from account_load l join accounts a on a.id = l.account_id where email like 'locked%'";
    expect(await deployment.query(versions)).toEqual([{ version: 0 }]);
  });

  test("after the database's connections are terminated, the next Open succeeds", async () => {
    await server.open();
    const name = new URL(deployment.url).pathname.slice(1);
    await postgres.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await expectRecovered();
  });

  test("while the database accepts no connections, Open requests are refused", async () => {
    const name = new URL(deployment.url).pathname.slice(1);
    await postgres.query(`alter database ${name} with allow_connections false`);
    await postgres.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    try {
      const { status } = await server.post("Open", {});
      expect(status).toBe(503);
    } finally {
      await postgres.query(`alter database ${name} with allow_connections true`);
    }
    await expectRecovered();
  });
});

test("while the database's disk is full, Open requests are refused; ended browsers are recorded afterwards", async () => {
  const small = await startPostgres({ wal_keep_size: 0, max_wal_size: "64MB", min_wal_size: "32MB" }, { diskMb: 160 });
  await using _small = small;
  const url = await small.createDatabase();
  await using home = await openHome({ RBS_DATABASE_URL: url, RBS_SECRET_KEY: KEY, RBS_LOG_LEVEL: "warn" });
  await using server = await startServer({ isFake: true }, home);
  const address = await server.open();
  const full = small.fillDisk();
  const statuses = new Set<number>();
  await until(
    async () => (await server.post("Open", {})).status,
    (status) => {
      statuses.add(status);
      return status === 503;
    },
  );
  await server.close(address);
  full[Symbol.dispose]();
  await small.start();
  await until(
    () => small.query<{ n: number }>("select count(*)::int as n from browsers where state = 'opening'", url),
    ([row]) => row?.n === 0,
  );
  const next = await server.open();
  await server.close(next);
  await expectExact((sql) => small.query(sql, url));
});
