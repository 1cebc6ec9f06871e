import { afterEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { FakeProbe } from "../../../test/fakes/fake-probe.ts";
import { KeptLog } from "../../../test/fakes/kept-log.ts";
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

/** Opens a pool with one proxy per host, and the probe that decides which ones work. */
async function openPool(...hosts: string[]) {
  const [probe, clock, log] = [new FakeProbe(), new FakeClock(), new KeptLog()];
  const pool = stack.use(new ProxyPool({ proxies: hosts.map(toProxy), probe, clock, log }));
  return { pool, probe, clock, log };
}

async function take(pool: ProxyPool): Promise<{ host: string | undefined } & Disposable> {
  const lease = await pool.lease(ANYTIME);
  return { host: lease?.proxy.host, [Symbol.dispose]: () => lease?.[Symbol.dispose]() };
}

test("a pool without proxies leases undefined", async () => {
  const { pool } = await openPool();
  pool.start();
  expect(await pool.lease(ANYTIME)).toBeUndefined();
});

test("the proxy with the fewest open browsers is leased, and of several the least used so far", async () => {
  const { pool, clock } = await openPool("a", "b", "c");
  pool.start();
  await clock.pass(0);
  const taken = [await take(pool), await take(pool), await take(pool), await take(pool)];
  expect(taken.map(({ host }) => host)).toEqual(["a", "b", "c", "a"]);
  // Now a has two, b one, c one; so far as well.
  taken[2]?.[Symbol.dispose]();
  expect((await take(pool)).host).toBe("c");
  taken[1]?.[Symbol.dispose]();
  const last = await take(pool);
  expect(last.host).toBe("b");
  last[Symbol.dispose]();
  taken[0]?.[Symbol.dispose]();
  taken[3]?.[Symbol.dispose]();
  // Only c has a browser now; so far a and b had two each.
  expect([(await take(pool)).host, (await take(pool)).host]).toEqual(["a", "b"]);
});

test("a lease that is disposed twice is given back once", async () => {
  const { pool, clock } = await openPool("a", "b");
  pool.start();
  await clock.pass(0);
  const a = await take(pool);
  await take(pool);
  await take(pool);
  for (const _ of [1, 2]) a[Symbol.dispose]();
  // Both have one browser now. If the lease counted twice, a would have zero.
  expect((await take(pool)).host).toBe("b");
});

test("a proxy that stops working is not leased until it works again, and its browsers keep it", async () => {
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
    { event: "proxy.lost", facts: { place: 1, verdict: "unreachable" } },
    { event: "proxy.found", facts: { place: 1 } },
  ]);
});

test("when every proxy fails, leases are refused, and browsers don't connect directly", async () => {
  const { pool, probe, clock, log } = await openPool("a", "b");
  probe.verdicts.set("a", "unreachable").set("b", "credentials-refused");
  pool.start();
  for (const _ of [1, 2]) {
    await expect(pool.lease(ANYTIME)).rejects.toMatchObject({
      failure: "BrowserUnavailable",
      retryAfterS: 5,
      message: expect.stringMatching(/^None of this deployment's proxies answers/),
    });
    await clock.pass(60_000);
  }
  expect(log.text()).not.toMatch(/s3cret|ann|8080/);
  // Logged once, not at every check.
  expect(log.lines).toHaveLength(2);
  probe.verdicts.clear();
  await clock.pass(5_000);
  expect((await take(pool)).host).toBe("a");
});

test("before the first checks are done, a lease waits for the first proxy that works", async () => {
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

test("an aborted lease rejects at once and takes no proxy", async () => {
  const { pool, probe, clock } = await openPool("a", "b");
  const holds = [probe.hold("a"), probe.hold("b")];
  pool.start();
  const caller = new AbortController();
  const asked = pool.lease(caller.signal);
  caller.abort(new Error("left"));
  await expect(asked).rejects.toThrow("left");
  for (const answer of holds) answer("serves");
  await clock.pass(0);
  await expect(pool.lease(caller.signal)).rejects.toThrow("left");
  // If a had been taken, b would be next.
  expect((await take(pool)).host).toBe("a");
});

test("a disposed pool stops its checks", async () => {
  const { pool, probe, clock, log } = await openPool("a", "b");
  const answer = probe.hold("b");
  pool.start();
  await clock.pass(0);
  pool[Symbol.dispose]();
  expect(clock.waiting).toBe(0);
  expect(probe.abandoned).toBe(1);
  answer("unreachable");
  await clock.pass(60_000);
  expect(clock.waiting).toBe(0);
  expect(log.lines).toEqual([]);
});
