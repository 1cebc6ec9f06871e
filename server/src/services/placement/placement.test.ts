import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { toWorker } from "../../../test/support/servers/cluster-rig.ts";
import { CALLS_VERSION, FIRST_PROVEN } from "../../ports/cluster/worker-call-rules.ts";
import type { Server } from "../../ports/cluster/server-registry.ts";
import { type Placed, Placement } from "./placement.ts";

const AVOIDED_MS = 5000;
const CAPACITY = 3;
const HOW = ["opened", "failed", "full", "unreachable"] as const;

function newRig(...workers: Server[]) {
  const clock = new FakeClock();
  const draws: number[] = [];
  const placement = new Placement({ clock, random: () => draws.shift() ?? 0 });
  placement.update(workers);
  return { clock, draws, placement };
}

/** A worker's free slots, according to its last report. */
type Expected = { free: number; start: number; report: number; avoidedUntilMs: number };

test("every free slot in the last reports is assigned exactly once, whatever happened to earlier browsers", async () => {
  const id = fc.constantFrom("one", "two");
  const step = fc.oneof(
    { arbitrary: fc.constant({ do: "place" } as const), weight: 12 },
    {
      arbitrary: fc.record({ do: fc.constant("settle" as const), which: fc.nat(5), how: fc.constantFrom(...HOW) }),
      weight: 12,
    },
    { arbitrary: fc.record({ do: fc.constant("report" as const), id, taken: fc.nat(CAPACITY) }), weight: 2 },
    fc.record({ do: fc.constant("restart" as const), id }),
    fc.constant({ do: "wait" } as const),
  );
  const steps = fc.array(step, { maxLength: 50, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.double({ min: 0, max: 0.99, noNaN: true })), async (all, draws) => {
      const clock = new FakeClock(undefined, async () => {});
      const placement = new Placement({ clock, random: () => draws.next().value ?? 0 });
      const workers = new Map<string, Server>();
      const expected = new Map<string, Expected>();
      const given: { placed: Placed; of: Expected; start: number; report: number; isSettled: boolean }[] = [];
      const report = (one: string, taken: number, start = 0): void => {
        const before = expected.get(one) ?? { free: 0, start: 0, report: 0, avoidedUntilMs: 0 };
        const next = { ...before, free: CAPACITY - taken, start: before.start + start, report: before.report + 1 };
        if (start > 0) next.avoidedUntilMs = 0;
        expected.set(one, Object.assign(before, next));
        const [instance, seenAt] = [String(next.start), new Date(next.report)];
        workers.set(one, toWorker(one, { capacity: CAPACITY, taken, instance, seenAt }));
        placement.update([...workers.values()]);
      };
      const wrong: (string | undefined)[] = [];
      report("one", 0);
      report("two", 1);
      for (const now of all) {
        if (now.do === "report") report(now.id, now.taken);
        if (now.do === "restart") report(now.id, 0, 1);
        if (now.do === "wait") await clock.pass(AVOIDED_MS);
        if (now.do === "place") {
          const placed = placement.place("chromium");
          const isFree = ({ free, avoidedUntilMs }: Expected): boolean =>
            free > 0 && avoidedUntilMs <= clock.elapsedMs();
          const of = expected.get(placed?.worker.id ?? "");
          if (of === undefined ? [...expected.values()].some(isFree) : !isFree(of)) wrong.push(placed?.worker.id);
          if (placed === undefined || of === undefined) continue;
          of.free -= 1;
          given.push({ placed, of, start: of.start, report: of.report, isSettled: false });
        }
        const one = now.do === "settle" ? given.at(-1 - now.which) : undefined;
        if (now.do !== "settle" || one === undefined) continue;
        one.placed.settle(now.how);
        if (one.isSettled) continue;
        one.isSettled = true;
        const { of } = one;
        if (now.how !== "opened" && of.report === one.report) of.free += 1;
        if (of.start !== one.start) continue;
        if (now.how === "full") of.free = -Infinity;
        if (now.how === "unreachable") of.avoidedUntilMs = clock.elapsedMs() + AVOIDED_MS;
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

describe("a worker is chosen", () => {
  test("by comparing two workers' shares of free slots, preferring a warm browser with the same options", () => {
    const workers = [
      toWorker("big", { capacity: 8, taken: 4 }),
      toWorker("idle", { capacity: 2 }),
      toWorker("warm", { capacity: 4, taken: 3, warmSets: { options: 1 } }),
    ];
    const { placement, draws } = newRig(...workers);
    expect(placement.place("chromium", undefined, "options")?.worker.id).toBe("warm");
    // The warm browser and the last slot of the first worker are taken.
    expect(placement.place("chromium", undefined, "options")?.worker.id).toBe("big");
    draws.push(0, 0.5, 0.5, 0);
    expect([placement.place("chromium")?.worker.id, placement.place("chromium")?.worker.id]).toEqual(["idle", "idle"]);
    expect(placement.place("chromium", new Set(["big", "idle"]))).toBeUndefined();
  });

  test("only if it is alive and active, and has the requested kind of browser", () => {
    const { placement } = newRig(
      toWorker("dead", { isAlive: false, capacity: 9 }),
      toWorker("cordoned", { wanted: "cordoned", kinds: ["chrome"] }),
      toWorker("front", { role: "front" }),
      toWorker("local", { url: undefined }),
    );
    expect([placement.place("chromium"), placement.limit, [...placement.kinds]]).toEqual([undefined, 1, ["chrome"]]);
    expect(placement.refusal).toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
    placement.update([toWorker("new")]);
    expect([placement.refusal, placement.place("chrome"), placement.find("dead")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test("a worker that seems full is tried only once before its next report", () => {
  const full = (id: string, seenAt: number): Server =>
    toWorker(id, { capacity: 2, taken: 2, seenAt: new Date(seenAt) });
  const { placement } = newRig(full("one", 1), full("two", 1), toWorker("other", { kinds: ["chrome"] }));
  expect(placement.place("chromium")).toBeUndefined();
  const first = placement.placeAnyway("chromium");
  expect(first?.worker.id).toBe("one");
  first?.settle("full");
  const second = placement.placeAnyway("chromium");
  expect(second?.worker.id).toBe("two");
  second?.settle("opened");
  expect(placement.placeAnyway("chromium")?.worker.id).toBe("two");
  expect(placement.placeAnyway("chromium", new Set(["two"]))).toBeUndefined();
  placement.update([full("one", 2)]);
  expect(placement.placeAnyway("chromium")?.worker.id).toBe("one");
});

test("if no slot is free, the failure reports how many workers don't respond", async () => {
  const { placement, clock } = newRig(toWorker("one", { capacity: 2, taken: 2 }), toWorker("two"));
  placement.place("chromium")?.settle("unreachable");
  expect(placement.toUnplaced().message).toMatch(
    "1 of 2 servers doesn't respond, and the other servers have no place for the browser. Try again in 5 s.",
  );
  placement.placeAnyway("chromium")?.settle("unreachable");
  // Once a worker may be tried again, the failure stays the same.
  await clock.pass(AVOIDED_MS);
  expect(placement.toUnplaced().message).toMatch("No server that runs browsers responds. Try again");
  placement.update([toWorker("one", { instance: "2", capacity: 2 })]);
  for (let count = 0; count < 2; count += 1) placement.place("chromium")?.settle("opened");
  expect(placement.toUnplaced().message).toMatch("no place for this browser: 2 of 2 places are taken. Try again");
});

test("only workers that open browsers determine whether the workers are full", () => {
  const { placement } = newRig(
    toWorker("one", { capacity: 2 }),
    toWorker("cordoned", { wanted: "cordoned", capacity: 8 }),
  );
  placement.place("chromium")?.settle("opened");
  expect(placement.isFull).toBe(false);
  placement.place("chromium")?.settle("opened");
  expect(placement.isFull).toBe(true);
  expect(placement.toUnplaced().message).toMatch("2 of 2 places are taken");
  placement.update([toWorker("one", { capacity: 2, taken: 2 }), toWorker("two", { kinds: ["chrome"] })]);
  expect([placement.isFull, placement.place("chromium")]).toEqual([false, undefined]);
});

test("calls to a worker are aborted when it becomes silent, restarts or is removed, and work again after its next report", () => {
  const { placement } = newRig(toWorker("one"));
  const first = placement.silenceOf("one");
  placement.update([toWorker("one", { seenAt: new Date(1) })]);
  expect([first.aborted, placement.silenceOf("one") === first]).toEqual([false, true]);
  placement.update([toWorker("one", { isAlive: false })]);
  expect([first.aborted, placement.silenceOf("one").aborted]).toEqual([true, true]);
  placement.update([toWorker("one")]);
  const second = placement.silenceOf("one");
  placement.update([toWorker("one", { instance: "2" })]);
  const third = placement.silenceOf("one");
  placement.update([]);
  expect([second.aborted, third.aborted, placement.silenceOf("one").aborted]).toEqual([true, true, true]);
});

test.each([CALLS_VERSION, CALLS_VERSION + 1])(
  "a worker that uses call version %s receives browsers from this front-end",
  (calls) => {
    const { placement } = newRig(toWorker("one", { calls }));
    expect([placement.refusal, placement.place("chromium")?.worker.id]).toEqual([undefined, "one"]);
  },
);

test("a worker that requires the secret, or is more than one version away, gets no browsers, and the failure says why", () => {
  const far = [undefined, FIRST_PROVEN - 1, CALLS_VERSION - 2, CALLS_VERSION + 2].map((calls) =>
    toWorker(`far${calls}`, { calls }),
  );
  const { placement } = newRig(...far);
  expect(placement.place("chromium")).toBeUndefined();
  expect(placement.refusal?.message).toMatch(
    /too old or too new. The operator has to update them before the other servers/,
  );
  expect(placement.gauges).toMatchObject({ capacity: 0 });
  placement.update([...far, toWorker("near", { calls: CALLS_VERSION })]);
  expect([placement.refusal, placement.place("chromium")?.worker.id]).toEqual([undefined, "near"]);
});
