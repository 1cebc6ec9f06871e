import { once } from "node:events";
import { WebSocket } from "ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAuthority } from "../support/proxies/authority.ts";
import { startCluster } from "../support/servers/deployment.ts";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { expectExact } from "../support/databases/exact.ts";
import { type Postgres, startPostgres } from "../support/databases/postgres.ts";
import { readLog, type RealServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 60 });
});
afterAll(() => postgres[Symbol.asyncDispose]());

test("only front-ends with a certificate can reach a worker, and a front-end with the wrong cluster secret isn't ready", async () => {
  using authority = openAuthority();
  const all = authority.issue("IP:127.0.0.1").settings;
  await using cluster = await startCluster(postgres, { fronts: 1, workers: 1 }, { all });
  const [front] = cluster.fronts as [RealServer];
  const [worker] = cluster.workers as [RealServer];
  const token = await cluster.newAccount("anna@example.com");
  const address = await front.open({ Headless: false }, token);
  await using client = await connectDevtools(address);
  expect(await client.command("Browser.getVersion")).toMatchObject({ product: expect.any(String) });
  const { body } = await front.post("StartRemoteDesktop", { address }, token);
  expect((await fetch(new URL(String(body["url"])))).status).toBe(200);
  const viewer = new WebSocket(String(body["rfbUrl"]));
  expect(String((await once(viewer, "message"))[0])).toBe("RFB 003.008\n");
  viewer.terminate();

  const direct = new WebSocket(address.replace(`ws://${front.url.host}`, `wss://${worker.url.host}`), {
    ca: authority.issue("DNS:a").ca,
  });
  expect(String((await once(direct, "error"))[0])).toMatch(/ECONNRESET|certificate required|socket hang up/);
  await front.close(address, token);
  await client.closed;
  await expectExact(cluster.query);

  Object.assign(front.home.settings, { RBS_CLUSTER_SECRET: "b".repeat(64) });
  front.signal("SIGTERM");
  await front.ended;
  const other = await cluster.restartFront(0);
  const ready = await until(
    () => fetch(new URL("/readyz", other.url)),
    ({ status }) => status === 503,
  );
  expect(await ready.json()).toMatchObject({ status: "broken", message: expect.stringContaining("doesn't respond") });
  const [{ error } = {}] = readLog(other, "worker.unreachable") as { error?: unknown }[];
  expect(JSON.stringify(error)).toContain("doesn't accept this front-end's cluster secret");
});

test("if two workers share a URL, one runs all browsers, and `worker list` reports the conflict", async () => {
  let first: number | undefined;
  const worker = (port: number) => ({ RBS_WORKER_URL: `http://127.0.0.1:${(first ??= port)}` });
  await using cluster = await startCluster(postgres, { fronts: 1, workers: 2 }, { worker });
  const [front] = cluster.fronts as [RealServer];
  const token = await cluster.newAccount("anna@example.com");
  const addresses = await Promise.all(Array.from({ length: 6 }, () => front.open({}, token)));
  const [{ id } = { id: "" }] = await cluster.query<{ id: string }>("select distinct worker as id from browsers");
  expect(addresses.map((address) => address.includes(`/browser/${id}`))).toEqual(Array(6).fill(true));
  expect(JSON.stringify(readLog(front, "worker.unreachable")[0])).toContain("the worker that the call is for");
  const listed = (await cluster.account("worker", "list")) as unknown as { id: string; role: string; error?: string }[];
  const ids = listed.filter(({ role }) => role === "worker").map((one) => one.id);
  const error = expect.stringContaining(`${ids.join(" and ")} have the same RBS_WORKER_URL`);
  expect(listed.map((one) => one.error)).toEqual(listed.map(({ role }) => (role === "worker" ? error : undefined)));
  await expectExact(cluster.query);
});

test("if workers have public URLs, clients and viewers connect without a front-end, even while a worker is draining", async () => {
  const all = { RBS_PUBLIC_URL: "http://browsers.invalid/main" };
  const worker = (port: number): Record<string, string> => ({ RBS_WORKER_PUBLIC_URL: `http://localhost:${port}/eu/` });
  await using cluster = await startCluster(postgres, { fronts: 1, workers: 1 }, { all, worker });
  const [front] = cluster.fronts as [RealServer];
  const [only] = cluster.workers as [RealServer];
  const token = await cluster.newAccount("anna@example.com");
  const address = await front.open({ Headless: false }, token);
  const host = `localhost:${only.url.port}`;
  expect(address).toMatch(`ws://${host}/eu/devtools/browser/`);
  await using client = await connectDevtools(address);
  expect(await client.command("Browser.getVersion")).toMatchObject({ product: expect.any(String) });

  const { body } = await front.post("StartRemoteDesktop", { address }, token);
  const [page, rfb] = [String(body["url"]), String(body["rfbUrl"])];
  expect([page, rfb]).toEqual([
    expect.stringContaining(`http://${host}/eu/desktop/`),
    expect.stringContaining(`ws://${host}/eu/desktop/`),
  ]);
  const html = await fetch(page);
  expect(html.status).toBe(200);
  const [, script = ""] = /src="([^"]+desktop\.js)"/.exec(await html.text()) ?? [];
  expect((await fetch(new URL(script, page))).status).toBe(200);
  const viewer = new WebSocket(rfb, { origin: `http://${host}` });
  expect(String((await once(viewer, "message"))[0])).toBe("RFB 003.008\n");
  expect(await front.addresses(token)).toEqual([address]);

  const { id } = (await cluster.query<{ id: string }>("select worker as id from browsers"))[0] ?? { id: "" };
  await cluster.account("worker", "drain", "--id", id);
  await until(
    () => front.post("Open", {}, token),
    ({ status }) => status === 503,
  );
  front.signal("SIGKILL");
  await front.ended;
  await using later = await connectDevtools(address);
  viewer.ping();
  await once(viewer, "pong");
  expect(await client.command("Browser.getVersion")).toMatchObject({ product: expect.any(String) });
  const again = await cluster.restartFront(0);
  await again.close(address, token);
  expect([(await client.closed).code, (await later.closed).code]).toEqual([1000, 1000]);
  expect(await only.ended).toMatchObject({ code: 0 });
  await expectExact(cluster.query);
});
