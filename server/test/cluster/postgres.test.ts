import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Deployment, KEY, startServers } from "../support/servers/deployment.ts";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { openHome } from "../support/servers/home.ts";
import { type Postgres, startPostgres } from "../support/databases/postgres.ts";
import { type RealServer, readLog } from "../support/servers/real-server.ts";
import { followChanges, signIn } from "../support/pages/page-user.ts";
import { runScript } from "../support/machine/run-script.ts";
import { until } from "../support/until.ts";
import { variant } from "../support/variants.ts";

/** A server rereads a token after at most 0.8 s. */
const TOKEN_MS = 1500;

/** Maximum time until a page shows another server's change. */
const ARRIVAL_MS = 1000;

/** Long enough for a busy machine, whose servers would otherwise end their browsers in other tests. */
const FENCE_S = 10;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 30 });
});
afterAll(() => postgres[Symbol.asyncDispose]());

describe("two servers that share a database", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startServers(postgres, 2, { RBS_FENCE_S: String(FENCE_S) });
  });
  afterAll(() => deployment[Symbol.asyncDispose]());

  test("can start at the same time on an empty database, with one first account and different ids", async () => {
    const { servers, query } = deployment;
    expect(await query("select email from accounts")).toEqual([{ email: "operator@localhost" }]);
    const [token] = servers.map((server) => server.token).filter((one) => one !== "");
    for (const server of servers) await server.open({}, token);
    const workers = await query<{ worker: string }>("select distinct worker from browsers");
    expect(workers).toHaveLength(2);
    for (const { worker } of workers) expect(worker).toMatch(/^[a-z0-9]{8}$/);
    // Get lists only the browsers of the server that receives the request.
    for (const server of servers) {
      const addresses = await server.addresses(token);
      expect(addresses).toHaveLength(1);
      await server.close(String(addresses[0]), token);
    }
    const stored = JSON.stringify(await query("select * from browsers"));
    expect(stored).not.toContain("ws://");
  });

  test("refuse a revoked token and a disabled account within a second", async () => {
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
  });

  test("show another server's changes on a page within a second", async () => {
    const [one, other] = deployment.servers as [RealServer, RealServer];
    const made = await deployment.account("create", "--email", "anna@example.com", "--plan", "self-hosted");
    const token = String(made["token"]);
    const anna = await signIn(one.url, "anna@example.com", String(made["password"]));
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
  });

  test("end their browsers when they can't report within the fence time, and open browsers again once they can report", async () => {
    const { servers } = deployment;
    const token = await deployment.newAccount("fenced@example.com");
    const open = async (server: RealServer) => connectDevtools(await server.open({}, token));
    const clients = await Promise.all(servers.map(open));
    await until(
      () => deployment.query(`select id from workers where report like '%"fenceMs":${FENCE_S * 1000}%'`),
      (rows) => rows.length === 2,
    );
    await deployment.query("alter table workers rename to away");
    for (const { closed } of clients) expect(await closed).toEqual({ code: 1001, reason: "browser closed: shutdown" });
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
  });
});

test("a server and its commands report why they can't use the database", async () => {
  const url = "postgres://someone@127.0.0.1:1/nothing";
  await using home = await openHome({ RBS_DATABASE_URL: url, RBS_SECRET_KEY: KEY });
  for (const [file, args] of [["main.ts", ["--fake"]] as const, ["cli/account.ts", ["list"]] as const]) {
    const { code, stderr } = await runScript(file, args, { settings: home.settings });
    expect(code).toBe(1);
    expect(stderr).toMatch(/The database can't be used\. Check RBS_DATABASE_URL\.\nconnect ECONNREFUSED/);
    expect(stderr).not.toMatch(/someone|\n {4}at /);
  }
});

variant("operators list, cordon and remove the servers of a database", async () => {
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
  const { password } = await account("password");
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
  // Expires the server's lease, as if ten seconds had passed.
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
});
