import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../support/servers/deployment.ts";
import { expectExact } from "../support/databases/exact.ts";
import { type PageUser, signIn } from "../support/pages/page-user.ts";
import { type Postgres, startPostgres } from "../support/databases/postgres.ts";
import type { RealServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";

let postgres: Postgres;
let cluster: Cluster;
let front: RealServer;
let token: string;
let operator: PageUser;
beforeAll(async () => {
  // One connection fewer than the servers may open, plus three that PostgreSQL reserves.
  postgres = await startPostgres({ max_connections: 17 });
  cluster = await startCluster(
    postgres,
    { fronts: 1, workers: 2 },
    { worker: { RBS_CAPACITY: "10", RBS_DRAIN_S: "60" } },
  );
  [front] = cluster.fronts as [RealServer];
  token = await cluster.newAccount("anna@example.com", "--parallel", "20");
  const { password } = await cluster.account("password");
  operator = await signIn(front.url, "operator@localhost", String(password));
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

type Listed = { readonly id: string; readonly role: string; readonly state: string };

async function list(): Promise<Listed[]> {
  return (await cluster.account("worker", "list")) as unknown as Listed[];
}

/** Returns a worker's id, which is the prefix of its browsers' keys. */
async function idOf(worker: RealServer): Promise<string> {
  const rows = await cluster.query<{ id: string; report: string }>("select id, report from workers");
  return rows.find(({ report }) => report.includes(`:${worker.url.port}/`))?.id ?? "";
}

function countOn(id: string, addresses: readonly string[]): number {
  return addresses.filter((address) => address.includes(`/browser/${id}`)).length;
}

async function openSome(count = 6): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => front.open({}, token)));
}

/** Reads a metric, from the front-end by default. Returns undefined if the metric is missing. */
async function measure(name: string, server = front): Promise<number | undefined> {
  const text = await (await fetch(new URL("/metrics", server.url))).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

function readReadiness({ url }: RealServer): Promise<number> {
  return fetch(new URL("/readyz", url)).then(({ status }) => status);
}

async function untilReady(server: RealServer, isReady: boolean): Promise<void> {
  await until(
    () => readReadiness(server),
    (status) => (status === 200) === isReady,
  );
}

/** Waits until the front-end reports the given number of workers in a state. */
async function untilWorkers(state: string, count: number): Promise<void> {
  await until(
    () => measure(`rbs_fleet_workers{state="${state}"}`),
    (value) => value === count,
  );
}

async function ask(id: string, action: string): Promise<void> {
  const { headers } = await operator.post(`/operator/servers/${id}/${action}`);
  expect(headers.get("location")).toBe(`/operator?done=${action}`);
}

test("a server warns at startup that PostgreSQL accepts too few connections", () => {
  expect(front.output.stderr).toContain("The 3 servers that use this database may open 15 connections, but PostgreSQL");
});

test("a drained worker opens no browsers, exits after its last browser, and opens browsers again after a restart", async () => {
  const [worker] = cluster.workers as [RealServer];
  const id = await idOf(worker);
  await openSome();
  expect(await measure('rbs_fleet_workers{state="active"}')).toBe(2);
  // A cluster counts each Open once, on the front-end.
  const counts = await Promise.all(
    [front, ...cluster.workers].map((one) => measure('rbs_opens_total{outcome="ok"}', one)),
  );
  expect(counts).toEqual([6, undefined, undefined]);
  await operator.get("/operator");
  await ask(id, "drain");
  await untilWorkers("draining", 1);
  expect(countOn(id, await openSome(3))).toBe(0);
  await untilReady(worker, false);
  expect(await readReadiness(front)).toBe(200);

  await ask(id, "uncordon");
  await untilReady(worker, true);
  expect(await cluster.account("worker", "drain", "--id", id)).toEqual({ id, state: "draining" });
  const addresses = await front.addresses(token);
  expect(countOn(id, addresses)).toBeGreaterThan(0);
  await untilReady(worker, false);
  for (const address of addresses.filter((one) => countOn(id, [one]) > 0)) await front.close(address, token);
  expect(await worker.ended).toMatchObject({ code: 0 });
  expect((await list()).map((one) => one.id)).not.toContain(id);

  await cluster.restartWorker(0);
  expect((await list()).find((one) => one.id === id)).toMatchObject({ role: "worker", state: "active" });
  await front.post("CloseAll", { all: true }, token);
  await expectExact(cluster.query);
});

test("a stopping worker receives no browsers, and a cordon survives a restart", async () => {
  const [worker] = cluster.workers as [RealServer];
  const id = await idOf(worker);
  await untilWorkers("active", 2);
  const addresses = await until(openSome, (opened) => countOn(id, opened) > 0);
  worker.signal("SIGTERM");
  await untilWorkers("stopping", 1);
  const full = await measure('rbs_fleet_placements_total{outcome="full"}');
  expect(countOn(id, await openSome(3))).toBe(0);
  // The front-end sent no request to the stopping worker.
  expect(await measure('rbs_fleet_placements_total{outcome="full"}')).toBe(full);

  await operator.get("/operator");
  await ask(id, "cordon");
  for (const address of addresses) await front.close(address, token);
  expect(await worker.ended).toMatchObject({ code: 0 });
  expect((await list()).find((one) => one.id === id)).toMatchObject({ state: "left" });
  await cluster.restartWorker(0);
  expect((await list()).find((one) => one.id === id)).toMatchObject({ state: "cordoned" });
  await front.post("CloseAll", { all: true }, token);
  await expectExact(cluster.query);
});
