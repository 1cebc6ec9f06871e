import { once } from "node:events";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../support/servers/deployment.ts";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { expectExact } from "../support/databases/exact.ts";
import { type Postgres, startPostgres } from "../support/databases/postgres.ts";
import { followChanges, signIn } from "../support/pages/page-user.ts";
import type { RealServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";
import { variant } from "../support/variants.ts";

/** Maximum time until a page shows another server's change. */
const ARRIVAL_MS = 1000;

/** Each worker's capacity. The tests fill both workers. */
const CAPACITY = 8;

/** Returns the number of Open requests waiting on a front-end. */
async function readWaiting({ url }: RealServer): Promise<number> {
  const text = await (await fetch(new URL("/metrics", url))).text();
  return Number(/^rbs_opens_waiting (\d+)$/m.exec(text)?.[1]);
}

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 60 });
});
afterAll(() => postgres[Symbol.asyncDispose]());

describe("two front-ends and two workers", () => {
  let cluster: Cluster;
  let one: RealServer;
  let other: RealServer;
  /** An account's token and password. */
  let token: string;
  let password: string;
  /** The token of an account that may open three browsers. */
  let limited: string;
  beforeAll(async () => {
    cluster = await startCluster(postgres, { fronts: 2, workers: 2 }, { worker: { RBS_CAPACITY: String(CAPACITY) } });
    [one, other] = cluster.fronts as [RealServer, RealServer];
    const anna = ["--email", "anna@example.com", "--plan", "self-hosted", "--parallel", "40"];
    const made = await cluster.account("create", ...anna);
    [token, password] = [String(made["token"]), String(made["password"])];
    limited = await cluster.newAccount("limited@example.com", "--parallel", "3");
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test("a page on one front-end shows browsers opened through the other front-end within a second", async () => {
    const anna = await signIn(one.url, "anna@example.com", password);
    await using changes = await followChanges(one.url, anna);
    const { body } = await other.post("Open", { label: "news" }, token);
    await until(changes.count, (count) => count > 0, ARRIVAL_MS);
    expect((await anna.get("/dashboard")).text).toContain("news");
    await other.close(String(body["address"]), token);
    await until(
      async () => (await anna.get("/dashboard")).text,
      (text) => !text.includes("news"),
    );
  });

  test("a front-end checks for a new worker before it rejects the worker's addresses", async () => {
    const path = `/devtools/browser/newcomer${"k".repeat(22)}`;
    const refusalOf = async (): Promise<unknown> =>
      once(
        new WebSocket(`ws://${one.url.host}${path}`).on("error", () => {}),
        "unexpected-response",
      ).then(([, { statusCode }]) => statusCode as unknown);
    expect(await refusalOf()).toBe(404);
    await cluster.query(`insert into workers (id, instance, wanted, seen_at, lease_until, report)
      select 'newcomer', instance, wanted, seen_at, lease_until,
        (report::jsonb || '{"url":"http://127.0.0.1:1","capacity":0}')::text
      from workers where report::jsonb->>'role' = 'worker' limit 1`);
    // The worker doesn't respond, but may be running the browser.
    expect(await refusalOf()).toBe(503);
    await cluster.query("delete from workers where id = 'newcomer'");
  });

  test("open browsers on both workers, and each front-end can reach all of them", async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => one.post("Open", { Headless: false }, token)));
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const rows = await cluster.query<{ worker: string }>("select distinct worker from browsers where state = 'open'");
    expect(rows).toHaveLength(2);
    expect(await other.addresses(token)).toHaveLength(10);
    for (const { body } of opened) {
      const [address, id] = [String(body["address"]), String(body["id"])];
      expect(rows.map(({ worker }) => worker)).toContain(/browser\/(.{8})/.exec(address)?.[1]);
      await using client = await connectDevtools(address.replace(one.url.host, other.url.host));
      expect(await client.command("Browser.getVersion")).toMatchObject({ product: expect.any(String) });
      expect(await other.post("Info", { id }, token)).toMatchObject({ status: 200, body: { state: "open", address } });
      expect(await other.post("Update", { id, label: "seen" }, token)).toMatchObject({
        status: 200,
        body: { label: "seen" },
      });
      await other.close(address, token);
      await client.closed;
    }
    expect(await one.addresses(token)).toEqual([]);
    await expectExact(cluster.query);
  });

  test("open one browser per idempotency key and enforce the account's limit, on any front-end", async () => {
    const opens = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? one : other).post("Open", {}, limited).then(({ status }) => status),
    );
    const statuses = await Promise.all(opens);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 404)).toHaveLength(9);
    expect(await one.post("CloseAll", { all: true }, limited)).toMatchObject({ status: 200, body: { closed: 3 } });

    const openKeyed = async (server: RealServer): Promise<unknown> => {
      const { status, body } = await server.post("Open", {}, limited, { "Idempotency-Key": "once" });
      expect(status).toBe(200);
      return body["id"];
    };
    const ids = await Promise.all([one, other, one, other].map(openKeyed));
    expect(new Set(ids).size).toBe(1);
    expect(await other.addresses(limited)).toHaveLength(1);
    await other.close(String((await other.addresses(limited))[0]), limited);
    await expectExact(cluster.query);
  });

  variant("open one browser per idempotency key at the account's limit, on any front-end", async () => {
    const last = await cluster.newAccount("last-place@example.com", "--parallel", "1");
    const first = await one.open({}, last);
    const keyed = { "Idempotency-Key": "last" };
    const waiting = [one, other].map((server) => server.post("Open", { WaitForPlace: 20 }, last, keyed));
    await until(async () => (await Promise.all([one, other].map(readWaiting))).every((count) => count > 0), Boolean);
    await one.close(first, last);
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await other.post("Open", { WaitForPlace: 20 }, last, keyed)).toMatchObject({ body: answers[0]?.body });
    await one.close(String(answers[0]?.body["address"]), last);
    await expectExact(cluster.query);
  });

  test("serve the desktop and screenshot of any worker's browser, and wait for the browser to end", async () => {
    const address = await one.open({ Headless: false }, token);
    const { body } = await other.post("StartRemoteDesktop", { address }, token);
    expect((await fetch(new URL(String(body["url"])))).status).toBe(200);
    expect((await fetch(new URL("/desktop/unknownkey0123456789012345678901", one.url))).status).toBe(404);
    const { body: seen } = await one.post("Info", { address }, token);
    expect(seen).toMatchObject({ state: "open", desktop: true });
    expect(await other.post("Screenshot", { address }, token)).toMatchObject({ status: 200 });
    const waiting = one.post("Wait", { address, seconds: 20 }, token);
    await other.close(address, token);
    expect(await waiting).toMatchObject({ status: 200, body: { state: "closed", reason: "requested" } });
  });

  test("open browsers while a worker is down, and close the worker's browsers when it restarts", async () => {
    // Until the workers report again, ended browsers seem to take places.
    const openSome = (count: number): Promise<string[]> =>
      Promise.all(Array.from({ length: count }, () => one.open({ WaitForPlace: 20 }, token)));
    const [before, during] = [6, CAPACITY - 6];
    await openSome(before);
    cluster.workers[0]?.signal("SIGKILL");
    await cluster.workers[0]?.ended;
    await openSome(during);
    expect(await one.addresses(token)).toHaveLength(before + during);
    await cluster.restartWorker(0);
    const left = await until(
      () => one.addresses(token),
      (addresses) => addresses.length < before + during,
    );
    const rows = await cluster.query<{ worker: string }>("select distinct worker from browsers where state = 'open'");
    expect(rows).toHaveLength(1);
    expect(left.length).toBeGreaterThanOrEqual(during);
    await openSome(before);
    await one.post("CloseAll", { all: true }, token);
    await expectExact(cluster.query);
  });

  test("let accounts take turns while requests wait for a worker, and a killed front-end's requests leave nothing behind", async () => {
    const fill = Array.from({ length: 2 * CAPACITY }, () => one.open({ WaitForPlace: 20 }, token));
    const [first = ""] = await Promise.all(fill);
    expect(await one.post("Open", {}, token)).toMatchObject({ status: 503, body: { name: "BrowserUnavailable" } });
    const waiting: [string, ReturnType<RealServer["post"]>][] = [];
    for (const [name, account] of [
      ["anna", token],
      ["anna again", token],
      ["ben", limited],
    ] as const) {
      waiting.push([name, one.post("Open", { WaitForPlace: 40 }, account)]);
      // Sends the requests one after the other. A request's database row appears too early, while the worker is still
      // refusing the request.
      await until(
        () => readWaiting(one),
        (count) => count === waiting.length,
      );
    }
    const served: string[] = [];
    const done = waiting.map(async ([name, open]) => {
      const { status, body } = await open;
      expect(status).toBe(200);
      served.push(name);
      await one.close(String(body["address"]), name === "ben" ? limited : token);
    });
    await one.close(first, token);
    await Promise.all(done);
    expect(served).toEqual(["anna", "ben", "anna again"]);

    await other.open({ WaitForPlace: 20 }, token);
    const lost = other.post("Open", { WaitForPlace: 40 }, limited).catch(() => "lost");
    await until(
      () => readWaiting(other),
      (count) => count === 1,
    );
    other.signal("SIGKILL");
    expect(await lost).toBe("lost");
    await one.post("CloseAll", { all: true }, token);
    const { id } = (await cluster.query<{ id: string }>("select worker as id from browsers"))[0] ?? { id: "" };
    const remove = async (): Promise<unknown> => {
      // The front-end's last report may still have been in transit when the front-end was killed.
      await cluster.query(`update workers set lease_until = now() where id = '${id}'`);
      return cluster.account("worker", "remove", "--id", id).catch(() => undefined);
    };
    expect(await until(remove, (removed) => removed !== undefined)).toMatchObject({ removed: id });
    await expectExact(cluster.query);
  });
});

variant("an unresponsive worker's browsers are listed, and closed when the worker responds again", async () => {
  await using cluster = await startCluster(postgres, { fronts: 1, workers: 1 });
  const [front] = cluster.fronts as [RealServer];
  const [worker] = cluster.workers as [RealServer];
  const token = await cluster.newAccount("anna@example.com");
  const address = await front.open({}, token);
  worker.signal("SIGSTOP");
  try {
    const closed = await front.post("Close", { address }, token);
    expect(closed).toMatchObject({ status: 503, body: { name: "BrowserUnavailable" } });
    expect(await (await fetch(new URL("/metrics", front.url))).text()).toContain("rbs_worker_calls_failed_total 1\n");
    expect(await front.addresses(token)).toEqual([address]);
  } finally {
    worker.signal("SIGCONT");
  }
  await until(
    () => front.addresses(token),
    (addresses) => addresses.length === 0,
  );
  await expectExact(cluster.query);
});
