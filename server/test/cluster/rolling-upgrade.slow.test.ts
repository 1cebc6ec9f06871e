import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import puppeteer from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../support/servers/deployment.ts";
import { expectExact } from "../support/databases/exact.ts";
import { freePort } from "../support/machine/free-port.ts";
import { type Postgres, startPostgres } from "../support/databases/postgres.ts";
import type { RealServer } from "../support/servers/real-server.ts";
import { openReverseProxy } from "../support/proxies/reverse-proxy.ts";
import { until } from "../support/until.ts";

/** A client's delay between two calls, and after a refused request. */
const PAUSE_MS = 100;
/** Number of calls after which a short-lived client disconnects. */
const CALLS = 15;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 60 });
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** What the clients have observed. */
type Seen = {
  sessions: number;
  /** Connections that closed before their clients closed them, and calls that failed. */
  readonly faults: string[];
  slowestCallMs: number;
  /** Number of requests that were resent because they were refused or received no response. */
  repeated: number;
};

type Api = {
  /** Returns the API's base URLs. Each attempt uses the next URL. */
  readonly bases: () => readonly string[];
  readonly token: string;
  readonly seen: Seen;
  /** Aborted when the test ends, even if the test has failed. */
  readonly signal: AbortSignal;
};

/** Repeats an API request with the same idempotency key until it succeeds, as clients should. */
async function ask(
  { bases, token, seen, signal }: Api,
  operation: string,
  body: object,
): Promise<{ address?: string }> {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    "Idempotency-Key": randomUUID(),
  };
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const urls = bases();
    const options = { method: "POST", headers, body: JSON.stringify(body) };
    const url = `${urls[attempt % urls.length]}/api/v1/Browser/${operation}`;
    const answer = await fetch(url, options).catch(() => undefined);
    const text = (await answer?.text().catch(() => undefined)) ?? "";
    if (answer?.status === 200) return JSON.parse(text) as { address?: string };
    if (answer !== undefined && ![502, 503].includes(answer.status)) throw new Error(`${operation}: ${text}`);
    seen.repeated += 1;
    await wait(PAUSE_MS);
  }
}

/** Uses a page until `isOver` returns true. Records if the connection closes earlier. */
async function usePage(address: string, seen: Seen, isOver: (calls: number) => boolean): Promise<void> {
  const browser = await puppeteer.connect({ browserWSEndpoint: address });
  let isOwnEnd = false;
  browser.once("disconnected", () => {
    if (!isOwnEnd) seen.faults.push("A connection closed unexpectedly.");
  });
  try {
    const page = await browser.newPage();
    await page.setContent("<title>0</title>");
    for (let calls = 1; !isOver(calls); calls += 1) {
      const before = performance.now();
      const title = await page.evaluate(`document.title = "${calls}"`);
      seen.slowestCallMs = Math.max(seen.slowestCallMs, performance.now() - before);
      if (title !== String(calls)) seen.faults.push(`The title was ${JSON.stringify(title)}.`);
      await wait(PAUSE_MS);
    }
  } catch (error) {
    seen.faults.push(String(error));
  }
  isOwnEnd = true;
  await browser.disconnect();
  seen.sessions += 1;
}

/** Returns the workers of open browsers, by address. */
async function readWorkers({ query }: Cluster, addresses: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string }>('select id from workers where report like \'%"role":"worker"%\'');
  return new Map(addresses.map((address) => [address, rows.find(({ id }) => address.includes(`/${id}`))?.id ?? ""]));
}

test.each(["through nginx", "at the workers' own URLs"])(
  "upgrading all servers one by one interrupts no connection %s",
  async (way) => {
    const port = await freePort();
    const isProxied = way === "through nginx";
    const all = { RBS_PUBLIC_URL: `http://localhost:${port}`, RBS_TRUSTED_PROXIES: "127.0.0.1" };
    const worker = (own: number): Record<string, string> => ({ RBS_WORKER_PUBLIC_URL: `http://127.0.0.1:${own}` });
    await using cluster = await startCluster(
      postgres,
      { fronts: 2, workers: 2 },
      { isFake: false, all, ...(!isProxied && { worker }) },
    );
    const toOrigins = (): string[] => cluster.fronts.map(({ url }) => url.origin);
    const [one = 0, other = 0] = cluster.fronts.map(({ url }) => Number(url.port));
    await using proxy = isProxied ? await openReverseProxy("nginx in front of a cluster", port, one, other) : undefined;
    const bases = (): readonly string[] => (proxy === undefined ? toOrigins() : [proxy.url]);
    const token = await cluster.newAccount("anna@example.com");
    const seen: Seen = { sessions: 0, faults: [], slowestCallMs: 0, repeated: 0 };
    const over = new AbortController();
    using _end = { [Symbol.dispose]: () => over.abort() };
    const api: Api = { bases, token, seen, signal: over.signal };
    const open = async (): Promise<string> => (await ask(api, "Open", { Headless: true, KeepOpen: 600 })).address ?? "";
    const close = (address: string): Promise<unknown> => ask(api, "Close", { address });

    // These clients stay connected until their worker has been draining for a while.
    const staying = new Map<string, { leave: boolean; done: Promise<void> }>();
    await until(
      async () => {
        const address = await open();
        const client = { leave: false, done: Promise.resolve() };
        client.done = usePage(address, seen, () => client.leave);
        staying.set(address, client);
        return new Set((await readWorkers(cluster, [...staying.keys()])).values()).size;
      },
      (workers) => workers === 2,
    );
    const workerOf = await readWorkers(cluster, [...staying.keys()]);

    // These clients repeatedly connect and disconnect.
    const last = new AbortController();
    const comeAndGo = async (): Promise<void> => {
      while (!last.signal.aborted) {
        const address = await open();
        await usePage(address, seen, (calls) => calls > CALLS);
        await close(address);
      }
    };
    const load = Promise.all([comeAndGo(), comeAndGo()]);
    load.catch(() => {});
    const inNewSessions = async (): Promise<void> => {
      const before = seen.sessions;
      await until(
        () => seen.sessions,
        (sessions) => sessions >= before + 3,
        60_000,
      );
    };
    await inNewSessions();

    for (const [index, old] of [...cluster.workers].entries()) {
      const id = await findId(cluster, old);
      const addresses = [...staying.keys()].filter((address) => workerOf.get(address) === id);
      await cluster.account("worker", "drain", "--id", id);
      await until(
        () => cluster.query(`select id from browsers where state = 'open' and worker = '${id}'`),
        (rows) => rows.length === addresses.length,
        60_000,
      );
      await inNewSessions();
      let hasEnded = false;
      void old.ended.then(() => (hasEnded = true));
      // The draining worker waits for the browsers whose clients stay connected.
      expect([addresses.length > 0, hasEnded]).toEqual([true, false]);
      for (const address of addresses) {
        const client = staying.get(address);
        if (client === undefined) continue;
        client.leave = true;
        await client.done;
        await close(address);
      }
      expect(await old.ended).toMatchObject({ code: 0 });
      await cluster.restartWorker(index);
      await inNewSessions();
    }

    for (const index of [0, 1]) {
      const front = cluster.fronts[index] as RealServer;
      front.signal("SIGTERM");
      await front.ended;
      await inNewSessions();
      await cluster.restartFront(index);
      await inNewSessions();
    }
    expect(seen.faults).toEqual([]);

    last.abort();
    await load;
    expect(seen.faults).toEqual([]);
    expect(await cluster.fronts[0]?.addresses(token)).toEqual([]);
    await expectExact(cluster.query);
  },
  400_000,
);

/** Looks up a worker's id in the database by the worker's URL. */
async function findId({ query }: Cluster, { url }: RealServer): Promise<string> {
  const rows = await query<{ id: string }>(`select id from workers where report like '%"url":"${url.href}"%'`);
  return rows[0]?.id ?? "";
}
