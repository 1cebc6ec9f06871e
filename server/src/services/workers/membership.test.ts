import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { type Entry, FakeRegistry } from "../../../test/fakes/fake-registry.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import type { WantedState, ServerReport } from "../../ports/cluster/server-registry.ts";
import { Membership } from "./membership.ts";

const REPORT: ServerReport = {
  version: "1.0.0",
  kinds: ["chromium"],
  plans: "12345678",
  capacity: 4,
  taken: 1,
  warm: 0,
};

const FENCE_MS = 900_000;

/** Joins a server. */
async function join(id: string, table: Map<string, Entry>, clock: FakeClock, report: ServerReport = REPORT) {
  const [registry, log] = [new FakeRegistry(id, table, clock), new RecordingLog()];
  let [ends, isIdle, isDrained] = [0, false, false];
  const endBrowsers = async (): Promise<void> => void (ends += 1);
  const membership = new Membership({ registry, clock, log });
  void membership.drained.then(() => (isDrained = true));
  await membership.start({ report: () => report, fenceMs: FENCE_MS, endBrowsers, isIdle: () => isIdle });
  return {
    registry,
    log,
    membership,
    ends: () => ends,
    isDrained: () => isDrained,
    setIdle: () => void (isIdle = true),
    events: () => log.lines.map(({ event }) => event),
  };
}

async function newRig() {
  const [table, clock] = [new Map<string, Entry>(), new FakeClock()];
  return { table, clock, ...(await join("one", table, clock)) };
}

function want(table: Map<string, Entry>, wanted: WantedState): void {
  const entry = table.get("one");
  if (entry !== undefined) entry.wanted = wanted;
}

test("a server reports every two seconds until it leaves", async () => {
  const { registry, table, clock, membership } = await newRig();
  await clock.pass(10_000);
  expect(registry.reports).toBe(5);
  await membership[Symbol.asyncDispose]();
  expect([table.size, clock.pending]).toEqual([0, 0]);
});

test("a server whose keys differ from another server's joins only once the other server is silent", async () => {
  const [table, clock] = [new Map<string, Entry>(), new FakeClock()];
  const of = (...keys: string[]) => ({ ...REPORT, keys });
  await join("old", table, clock, REPORT);
  const one = await join("one", table, clock, of("new", "first"));
  const two = await join("two", table, clock, of("first"));
  await expect(join("three", table, clock, of("third"))).rejects.toThrow(
    "Server one, which uses the same database, has different keys.",
  );
  expect([...table.keys()]).toEqual(["old", "one", "two"]);
  one.registry.isAway = two.registry.isAway = true;
  await clock.pass(10_000);
  await join("three", table, clock, of("third"));
});

test("a full server reports a free slot within a quarter of a second, even during another report", async () => {
  const { registry, clock, membership } = await newRig();
  for (let count = 0; count < 5; count += 1) {
    membership.noteFree();
    await clock.pass(50);
  }
  expect(registry.reports).toBe(1);
  // The next regular report follows two seconds later.
  await clock.pass(1999);
  expect(registry.reports).toBe(1);
  const answer = Promise.withResolvers<void>();
  const report = registry.report.bind(registry);
  registry.report = async (sent) => {
    await answer.promise;
    return report(sent);
  };
  await clock.pass(1);
  membership.noteFree();
  answer.resolve();
  await clock.pass(249);
  expect(registry.reports).toBe(2);
  await clock.pass(1);
  expect(registry.reports).toBe(3);
});

test("a cordoned server refuses to open browsers, even after a restart, until the operator activates it", async () => {
  const { table, clock, membership } = await newRig();
  want(table, "cordoned");
  await clock.pass(2000);
  expect(membership.refusal).toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 30 });
  const { membership: restarted } = await join("one", table, clock);
  expect(restarted.refusal).toBeDefined();
  want(table, "active");
  await clock.pass(2000);
  expect(restarted.refusal).toBeUndefined();
});

test("a draining server refuses to open browsers, and leaves once it has no browsers", async () => {
  const { table, clock, registry, membership, setIdle, isDrained, ends } = await newRig();
  want(table, "draining");
  await clock.pass(4000);
  expect(membership.refusal).toMatchObject({
    failure: "BrowserUnavailable",
    message: expect.stringContaining("draining"),
  });
  expect([isDrained(), table.size]).toEqual([false, 1]);
  setIdle();
  await clock.pass(2000);
  expect([isDrained(), table.size, clock.pending]).toEqual([true, 0, 0]);
  expect([membership.refusal === undefined, ends()]).toEqual([false, 0]);
  const { reports } = registry;
  membership.retire();
  await clock.pass(10_000);
  expect([registry.reports, table.size]).toEqual([reports, 0]);
});

test("a drain ends when the operator activates the server or the server restarts", async () => {
  const { table, clock, membership, isDrained, setIdle } = await newRig();
  want(table, "draining");
  await clock.pass(2000);
  want(table, "active");
  setIdle();
  await clock.pass(2000);
  expect([membership.refusal, isDrained(), table.size]).toEqual([undefined, false, 1]);
  want(table, "draining");
  const { membership: restarted } = await join("one", table, clock);
  expect(restarted.refusal).toBeUndefined();
});

test("a drained server doesn't join again, even if the response to its leave request was lost", async () => {
  const { table, clock, isDrained, ends } = await newRig();
  want(table, "draining");
  await clock.pass(2000);
  table.clear();
  await clock.pass(2000);
  expect([isDrained(), table.size, ends(), clock.pending]).toEqual([true, 0, 1, 0]);
});

test("a server immediately reports that it is stopping", async () => {
  const { table, clock, membership, registry } = await newRig();
  await clock.pass(1000);
  membership.retire();
  await clock.pass(1);
  expect([registry.reports, table.get("one")?.report.phase]).toEqual([1, "stopping"]);
  await clock.pass(4000);
  expect([registry.reports, table.get("one")?.report.phase]).toEqual([3, "stopping"]);
});

test("a removed server ends its browsers and joins again", async () => {
  const { table, clock, ends, events } = await newRig();
  table.clear();
  await clock.pass(2000);
  expect([ends(), [...table.keys()], events()]).toEqual([1, ["one"], ["worker.removed"]]);
  await clock.pass(4000);
  expect(ends()).toBe(1);
});

test("a server whose id is in use by another server ends its browsers once, and joins again after the other server has left", async () => {
  const { table, clock, ...one } = await newRig();
  const copy = await join("one", table, clock);
  await clock.pass(20_000);
  expect([one.ends(), one.events(), copy.ends(), copy.events()]).toEqual([1, ["worker.displaced"], 0, []]);
  expect(one.membership.refusal?.message).toMatch(/Another server uses this one's id.*worker\.id/);
  await copy.membership[Symbol.asyncDispose]();
  await clock.pass(2000);
  expect([one.ends(), one.events(), one.membership.refusal]).toEqual([1, ["worker.displaced"], undefined]);
  await one.membership[Symbol.asyncDispose]();
  expect([[...table.keys()], clock.pending]).toEqual([[], 0]);
});

test("each server logs two workers with the same URL once, unless one of the workers was just killed", async () => {
  const [table, clock] = [new Map<string, Entry>(), new FakeClock()];
  const at = (url: string) => ({ ...REPORT, role: "worker", url }) as const;
  const killed = await join("killed", table, clock, at("http://10.0.0.1:8080/"));
  killed.registry.isAway = true;
  const one = await join("one", table, clock, at("http://10.0.0.1:8080/"));
  await clock.pass(20_000);
  expect(one.events()).toEqual([]);
  const two = await join("two", table, clock, at("http://10.0.0.1:8080"));
  await clock.pass(60_000);
  for (const { log } of [one, two]) {
    expect(log.lines).toMatchObject([{ event: "worker.url_shared", facts: { workers: ["one", "two"] } }]);
    expect(String(log.lines[0]?.facts?.["error"])).toMatch(/one and two have the same.* http:\/\/10.0.0.1:8080\./);
  }
  await two.membership[Symbol.asyncDispose]();
  const three = await join("three", table, clock, at("http://10.0.0.1:8080/"));
  await clock.pass(20_000);
  expect([one, three].map(({ events }) => events().length)).toEqual([2, 1]);
});

test.each([
  [-60_001, /60 s ahead of the database's/],
  [60_001, /60 s behind the database's/],
])(
  "a server whose clock is off by a minute opens no browsers until the clock is correct: %s ms",
  async (aheadMs, message) => {
    const { registry, clock, membership, events, log } = await newRig();
    registry.aheadMs = Math.sign(aheadMs) * 5001;
    await clock.pass(4000);
    expect([membership.refusal, log.lines]).toEqual([
      undefined,
      [{ event: "clock.off", facts: { aheadMs: -registry.aheadMs } }],
    ]);
    registry.aheadMs = aheadMs;
    await clock.pass(2000);
    expect(membership.refusal?.message).toMatch(message);
    registry.aheadMs = 0;
    await clock.pass(2000);
    expect([membership.refusal, events()]).toEqual([undefined, ["clock.off"]]);
  },
);

test("a single server keeps its browsers while the database is unavailable, and logs the failure once", async () => {
  const { registry, clock, membership, ends, events } = await newRig();
  registry.isAway = true;
  await clock.pass(2 * FENCE_MS);
  expect([ends(), membership.refusal, events()]).toEqual([0, undefined, ["worker.report_failed"]]);
  registry.isAway = false;
  await clock.pass(2000);
  expect(events()).toEqual(["worker.report_failed", "worker.back"]);
  registry.isAway = true;
  await membership[Symbol.asyncDispose]();
  expect(clock.pending).toBe(0);
});

describe("a server in a cluster", () => {
  test("removes a front-end that has no fence a minute after the front-end stops reporting", async () => {
    const { table, clock, log } = await newRig();
    const report: ServerReport = { ...REPORT, role: "front", fenceMs: undefined };
    for (const [id, role] of [
      ["front", "front"],
      ["worker", "worker"],
    ] as const) {
      table.set(id, { wanted: "active", report: { ...report, role }, seenAt: clock.now() });
    }
    await clock.pass(68_000);
    expect([...table.keys()]).toEqual(["one", "front", "worker"]);
    await clock.pass(6000);
    expect([[...table.keys()], log.lines.map(({ facts }) => facts?.["worker"])]).toEqual([
      ["one", "worker"],
      ["front"],
    ]);
  });

  test("ends its browsers if it can't report before its fence expires, and is removed a minute later", async () => {
    const { table, clock, ...one } = await newRig();
    const other = await join("other", table, clock);
    await clock.pass(4000);
    one.registry.isAway = true;
    await clock.pass(FENCE_MS - 1);
    expect([one.ends(), other.ends()]).toEqual([0, 0]);
    await clock.pass(2000);
    expect([one.ends(), one.events()]).toEqual([1, ["worker.report_failed", "worker.fenced"]]);
    await clock.pass(58_000);
    expect([...table.keys()]).toEqual(["one", "other"]);
    await clock.pass(16_000);
    expect([...table.keys()]).toEqual(["other"]);
    expect(other.log.lines).toMatchObject([{ event: "worker.freed", facts: { worker: "one", browsers: 1 } }]);
    one.registry.isAway = false;
    await clock.pass(2000);
    expect([...table.keys()]).toEqual(["other", "one"]);
    expect([one.membership.refusal, other.ends()]).toEqual([undefined, 0]);
  });

  test("keeps its browsers if it reports again before its fence expires", async () => {
    const { table, clock, ...one } = await newRig();
    await join("other", table, clock);
    await clock.pass(4000);
    for (let times = 0; times < 3; times += 1) {
      one.registry.isAway = true;
      await clock.pass(FENCE_MS - 4000);
      one.registry.isAway = false;
      await clock.pass(4000);
    }
    expect([one.ends(), [...table.keys()]]).toEqual([0, ["one", "other"]]);
  });

  test("is never removed if it was the only server at its last report, because it keeps its browsers", async () => {
    const { table, clock, ...one } = await newRig();
    one.registry.isAway = true;
    await join("other", table, clock);
    await clock.pass(3 * FENCE_MS);
    expect([one.ends(), [...table.keys()]]).toEqual([0, ["one", "other"]]);
  });

  test("is removed later if the other server temporarily couldn't read the list", async () => {
    const { table, clock, ...one } = await newRig();
    const other = await join("other", table, clock);
    await clock.pass(4000);
    one.registry.isAway = true;
    await clock.pass(FENCE_MS + 30_000);
    other.registry.isAway = true;
    await clock.pass(2000);
    other.registry.isAway = false;
    await clock.pass(FENCE_MS);
    expect([...table.keys()]).toEqual(["one", "other"]);
    await clock.pass(80_000);
    expect([...table.keys()]).toEqual(["other"]);
  });

  test("closes the records of unlisted servers once a minute", async () => {
    const { clock, registry, log } = await newRig();
    registry.strays = 2;
    await clock.pass(58_000);
    expect([registry.strays, log.lines]).toEqual([2, []]);
    await clock.pass(4000);
    expect(log.lines).toEqual([{ event: "worker.strays_freed", facts: { browsers: 2 } }]);
  });

  test("leaves nothing behind", async () => {
    const { table, clock, membership } = await newRig();
    const other = await join("other", table, clock);
    await clock.pass(4000);
    await membership[Symbol.asyncDispose]();
    await other.membership[Symbol.asyncDispose]();
    expect([table.size, clock.pending]).toEqual([0, 0]);
  });
});
