import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Deployment, KEY, startServers } from "./support/deployment.ts";
import { expectExact } from "./support/exact.ts";
import { openHome } from "./support/home.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";
import { type RealServer, readLog, startServer } from "./support/real-server.ts";
import { followChanges, signIn } from "./support/page-user.ts";
import { runScript } from "./support/run-script.ts";
import { until } from "./support/until.ts";

/**
 * An Open request is refused in this time while the database is away. A request waits for it for 1.5 s, and a busy machine answers
 * later. Without that limit, it would wait for the 10 s that a query may take.
 */
const REFUSED_MS = 5000;

/** A server reads a token again after 0.8 s at most. */
const TOKEN_MS = 1500;

/** In this time, a page hears of a change on another server. */
const ARRIVAL_MS = 1000;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 30 });
}, 60_000);
afterAll(() => postgres[Symbol.asyncDispose]());

describe("two servers on one database", () => {
  test("start together on an empty database, with one first account and an id each", async () => {
    await using deployment = await startServers(postgres, 2);
    const { servers, query } = deployment;
    expect(await query("select email from accounts")).toEqual([{ email: "operator@localhost" }]);
    const [token] = servers.map((server) => server.token).filter((one) => one !== "");
    for (const server of servers) await server.open({}, token);
    const workers = await query<{ worker: string }>("select distinct worker from browsers");
    expect(workers).toHaveLength(2);
    for (const { worker } of workers) expect(worker).toMatch(/^[a-z0-9]{8}$/);
    // Get reaches only the browsers of the server that is asked.
    for (const server of servers) expect(await server.addresses(token)).toHaveLength(1);
    const stored = JSON.stringify(await query("select * from browsers"));
    expect(stored).not.toContain("ws://");
  }, 60_000);

  test("refuse a revoked token and a disabled account within a second", async () => {
    await using deployment = await startServers(postgres, 2);
    const token = await deployment.newAccount("revoked@example.com");
    for (const server of deployment.servers) expect((await server.get(token)).status).toBe(200);
    const untilRefused = async (revoked: string): Promise<void> => {
      const readStatuses = async (): Promise<number[]> => {
        const answers = await Promise.all(deployment.servers.map((server) => server.get(revoked)));
        return answers.map(({ status }) => status);
      };
      await until(readStatuses, (statuses) => statuses.every((status) => status === 401), TOKEN_MS);
    };
    await deployment.account("disable", "--email", "revoked@example.com");
    await untilRefused(token);
    await deployment.account("enable", "--email", "revoked@example.com");
    for (const server of deployment.servers) expect((await server.get(token)).status).toBe(200);
    const { token: renewed } = await deployment.account("token", "--email", "revoked@example.com");
    for (const server of deployment.servers) expect((await server.get(String(renewed))).status).toBe(200);
    await untilRefused(token);
  }, 60_000);
});

test("a page of one server hears within a second what changes on another one", async () => {
  await using deployment = await startServers(postgres, 2);
  const [one, other] = deployment.servers as [RealServer, RealServer];
  const token = await deployment.newAccount("anna@example.com");
  const { password } = await deployment.account("password", "--email", "anna@example.com");
  const anna = await signIn(one.url, "anna@example.com", String(password));
  await until(
    () =>
      deployment.query("select pid from pg_stat_activity where application_name like '% changes' and state = 'idle'"),
    (listening) => listening.length === 2,
  );
  await using changes = await followChanges(one.url, anna);
  const address = await other.open({}, token);
  await until(changes.count, (count) => count === 1, ARRIVAL_MS);
  await other.close(address, token);
  await until(changes.count, (count) => count === 2, ARRIVAL_MS);
  expect(await other.addresses(token)).toEqual([]);
}, 60_000);

test("a server and its commands say why they can't use the database", async () => {
  const url = "postgres://someone@127.0.0.1:1/nothing";
  await using home = await openHome({ RBS_DATABASE_URL: url, RBS_SECRET_KEY: KEY });
  for (const [file, args] of [["main.ts", ["--fake"]] as const, ["cli/account.ts", ["list"]] as const]) {
    const { code, stderr } = await runScript(file, args, { settings: home.settings });
    expect(code).toBe(1);
    expect(stderr).toMatch(/The database can't be used\. Check RBS_DATABASE_URL\.\nconnect ECONNREFUSED/);
    expect(stderr).not.toMatch(/someone|\n {4}at /);
  }
}, 30_000);

test("operators list, cordon and remove the servers of a database", async () => {
  await using deployment = await startServers(postgres, 2);
  const { account, servers } = deployment;
  const [one, other] = servers as [RealServer, RealServer];
  const token = await deployment.newAccount("anna@example.com", "--parallel", "1");
  const list = async () =>
    (await account("worker", "list")) as unknown as { id: string; taken: number; alive: boolean }[];
  const openAs = (server: RealServer) => server.post("Open", {}, token);
  expect((await openAs(one)).status).toBe(200);
  const [busy] = await until(list, (all) => all.some(({ taken }) => taken === 1)).then((all) =>
    all.filter(({ taken }) => taken === 1),
  );
  const id = busy?.id ?? "";
  expect(await account("worker", "cordon", "--id", id)).toEqual({ id, state: "cordoned" });
  await until(
    async () => (await fetch(new URL("/readyz", one.url))).status,
    (status) => status === 503,
  );
  expect((await openAs(one)).status).toBe(503);
  const { password } = await account("password", "--email", "operator@localhost");
  const operator = await signIn(other.url, "operator@localhost", String(password));
  expect((await operator.get("/operator")).text).toContain(id);
  const done = await operator.post(`/operator/servers/${id}/uncordon`);
  expect(done.headers.get("location")).toBe("/operator?done=uncordon");
  expect((await operator.post("/operator/servers/nothere1/cordon")).headers.get("location")).toBe(
    "/operator?done=unknown",
  );
  await until(
    async () => (await fetch(new URL("/readyz", one.url))).status,
    (status) => status === 200,
  );
  await expect(account("worker", "remove", "--id", id)).rejects.toThrow("code: 1");
  await one[Symbol.asyncDispose]();
  expect((await openAs(other)).status).toBe(404);
  // As after ten seconds.
  await deployment.query(`update workers set lease_until = now() where id = '${id}'`);
  expect(await account("worker", "remove", "--id", id)).toEqual({ removed: id, lostBrowsers: 1 });
  const acts = (await account("audit")) as unknown as { act: string; subject: string; actorEmail: string | null }[];
  const ofServer = acts.filter(({ subject }) => subject === id);
  expect(ofServer.map(({ act, actorEmail }) => [act, actorEmail])).toEqual([
    ["server removed", null],
    ["server active", "operator@localhost"],
    ["server cordoned", null],
  ]);
  expect((await openAs(other)).status).toBe(200);
  await deployment.query("delete from workers");
  await until(
    () => other.addresses(token),
    (browsers) => browsers.length === 0,
  );
  await until(list, (all) => all.length === 1);
}, 60_000);

test("servers of one database that can't report for their fence end their browsers, and go on afterwards", async () => {
  await using deployment = await startServers(postgres, 2, { RBS_FENCE_S: "3" });
  const [one, other] = deployment.servers as [RealServer, RealServer];
  const token = await deployment.newAccount("anna@example.com");
  const servers = [one, other];
  for (const server of servers) await server.open({}, token);
  await until(
    () => deployment.query("select id from workers where report like '%\"fenceMs\":3000%'"),
    (rows) => rows.length === 2,
  );
  await deployment.query("alter table workers rename to away");
  for (const server of servers) {
    await until(
      () => server.addresses(token),
      (addresses) => addresses.length === 0,
    );
    await until(
      () => server.processes().length,
      (count) => count === 0,
    );
  }
  await deployment.query("alter table away rename to workers");
  for (const server of servers) {
    await server.close(await server.open({}, token), token);
    expect(readLog(server, "worker.fenced")).toHaveLength(1);
  }
}, 60_000);

describe("while the database is away", () => {
  let deployment: Deployment;
  let server: RealServer;
  beforeAll(async () => {
    deployment = await startServers(postgres, 1, { RBS_CAPACITY: "1000" });
    server = deployment.servers[0] as RealServer;
  }, 60_000);
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
    // What could not be written is written now.
    await until(
      () => deployment.query<{ n: number }>("select count(*)::int as n from browsers where state = 'opening'"),
      ([row]) => row?.n === 0,
    );
    const address = await server.open();
    await server.close(address);
    await expectExact(deployment.query);
  }

  test.each(["fast", "immediate"] as const)(
    "stopped in mode %s: Opens are refused, browsers stay, and a Close is recorded later",
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

  test("frozen: requests under way are answered in time, and what it does later is undone", async () => {
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
      const over = new AbortController();
      const clients = Array.from({ length: 10 }, () => openUntil(over.signal));
      await wait(200);
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
  }, 60_000);

  test("its connections are ended: the next Open works", async () => {
    await server.open();
    const name = new URL(deployment.url).pathname.slice(1);
    await postgres.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await expectRecovered();
  }, 60_000);

  test("it takes no connections: Opens are refused until it has", async () => {
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
  }, 60_000);
});

test("while the database's disk is full, Opens are refused, and ends are recorded when it isn't", async () => {
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
}, 90_000);
