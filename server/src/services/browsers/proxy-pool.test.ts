import { afterEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { FakeProbe } from "../../../test/fakes/fake-probe.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import { ProxyPool } from "./proxy-pool.ts";

const ANYTIME = new AbortController().signal;
let stack = new DisposableStack();

afterEach(() => {
  stack.dispose();
  stack = new DisposableStack();
});

function toProxy(host: string): UpstreamProxy {
  return { scheme: "http", host, port: 8080, credentials: { username: "ann", password: "s3cret" } };
}

/** Returns a pool with one proxy per host, and a probe that the test controls. */
async function openPool(...hosts: string[]) {
  const [probe, clock, log] = [new FakeProbe(), new FakeClock(), new RecordingLog()];
  const pool = stack.use(new ProxyPool({ proxies: hosts.map(toProxy), probe, clock, log }));
  return { pool, probe, clock, log };
}

async function take(pool: ProxyPool): Promise<{ host: string | undefined } & Disposable> {
  const pooled = await pool.acquire(ANYTIME);
  return { host: pooled?.proxy.host, [Symbol.dispose]: () => pooled?.[Symbol.dispose]() };
}

test("an empty pool provides no proxy", async () => {
  const { pool } = await openPool();
  pool.start();
  expect(await pool.acquire(ANYTIME)).toBeUndefined();
});

test("the pool chooses the proxy with the fewest current browsers, then with the fewest browsers in total", async () => {
  const { pool, clock } = await openPool("a", "b", "c");
  pool.start();
  await clock.pass(0);
  const leases = [await take(pool), await take(pool), await take(pool), await take(pool)];
  expect(leases.map(({ host }) => host)).toEqual(["a", "b", "c", "a"]);
  // Proxy a has two browsers, both now and in total; proxies b and c have one each.
  leases[2]?.[Symbol.dispose]();
  expect((await take(pool)).host).toBe("c");
  leases[1]?.[Symbol.dispose]();
  const last = await take(pool);
  expect(last.host).toBe("b");
  last[Symbol.dispose]();
  leases[0]?.[Symbol.dispose]();
  leases[3]?.[Symbol.dispose]();
  // At this point, only proxy c has a browser. Proxies a and b have had two browsers each.
  expect([(await take(pool)).host, (await take(pool)).host]).toEqual(["a", "b"]);
});

test("a proxy that is disposed twice is returned only once", async () => {
  const { pool, clock } = await openPool("a", "b");
  pool.start();
  await clock.pass(0);
  const a = await take(pool);
  await take(pool);
  await take(pool);
  for (const _ of [1, 2]) a[Symbol.dispose]();
  // Each proxy now has one browser. If proxy a had been returned twice, it would have none.
  expect((await take(pool)).host).toBe("b");
});

test("a failed proxy isn't chosen until it works again, and its current browsers keep it", async () => {
  const { pool, probe, clock, log } = await openPool("a", "b");
  pool.start();
  await clock.pass(0);
  probe.verdicts.set("a", "unreachable");
  await clock.pass(30_000);
  expect([(await take(pool)).host, (await take(pool)).host]).toEqual(["b", "b"]);
  probe.verdicts.delete("a");
  await clock.pass(5_000);
  expect([(await take(pool)).host, (await take(pool)).host]).toEqual(["a", "a"]);
  expect(log.lines).toEqual([
    { event: "proxy.lost", facts: { proxy: 1, verdict: "unreachable" } },
    { event: "proxy.found", facts: { proxy: 1 } },
  ]);
});

test("if no proxy works, browsers are refused instead of connecting directly", async () => {
  const { pool, probe, clock, log } = await openPool("a", "b");
  probe.verdicts.set("a", "unreachable").set("b", "credentials-refused");
  pool.start();
  for (const _ of [1, 2]) {
    await expect(pool.acquire(ANYTIME)).rejects.toMatchObject({
      failure: "BrowserUnavailable",
      retryAfterS: 5,
      message: expect.stringMatching(/^This deployment's proxies do not respond/),
    });
    await clock.pass(60_000);
  }
  expect(log.text()).not.toMatch(/s3cret|ann|8080/);
  // Each failure is logged once, not at every check.
  expect(log.lines).toHaveLength(2);
  probe.verdicts.clear();
  await clock.pass(5_000);
  expect((await take(pool)).host).toBe("a");
});

test("before the first checks, the pool waits for the first proxy that works", async () => {
  const { pool, probe, clock } = await openPool("a", "b");
  const [a, b] = [probe.hold("a"), probe.hold("b")];
  pool.start();
  const asked = take(pool);
  b("serves");
  expect((await asked).host).toBe("b");
  expect((await take(pool)).host).toBe("b");
  a("unreachable");
  await clock.pass(0);
  expect((await take(pool)).host).toBe("b");
});

test("a caller that disconnects stops waiting and takes no proxy", async () => {
  const { pool, probe, clock } = await openPool("a", "b");
  const holds = [probe.hold("a"), probe.hold("b")];
  pool.start();
  const caller = new AbortController();
  const asked = pool.acquire(caller.signal);
  caller.abort(new Error("left"));
  await expect(asked).rejects.toThrow("left");
  for (const answer of holds) answer("serves");
  await clock.pass(0);
  await expect(pool.acquire(caller.signal)).rejects.toThrow("left");
  // If proxy a were in use, proxy b would be chosen first.
  expect((await take(pool)).host).toBe("a");
});

test("disposing a pool stops its checks", async () => {
  const { pool, probe, clock, log } = await openPool("a", "b");
  const answer = probe.hold("b");
  pool.start();
  await clock.pass(0);
  pool[Symbol.dispose]();
  expect(clock.pending).toBe(0);
  expect(probe.aborted).toBe(1);
  answer("unreachable");
  await clock.pass(60_000);
  expect(clock.pending).toBe(0);
  expect(log.lines).toEqual([]);
});
