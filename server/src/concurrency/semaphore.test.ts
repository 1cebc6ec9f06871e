import { expect, test } from "vitest";
import { FakeClock } from "../../test/fakes/fake-clock.ts";
import { Semaphore } from "./semaphore.ts";

const GONE = new Error("gone");
const NOTHING = { held: 0, waiting: 0, timers: 0 };

function newSemaphore(limit: number, maxWaiting: number) {
  const clock = new FakeClock();
  const semaphore = new Semaphore({
    limit,
    maxWaiting,
    maxWaitMs: 1000,
    clock,
    onFull: () => new Error("full"),
    onLate: () => new Error("late"),
  });
  const state = () => ({ held: semaphore.held, waiting: semaphore.waiting, timers: clock.pending });
  return { clock, semaphore, state };
}

async function settled(): Promise<void> {
  await new Promise(setImmediate);
}

test("`limit` callers hold permits, `maxWaiting` callers wait, and the next caller is rejected", async () => {
  const { semaphore, state } = newSemaphore(2, 1);
  const held = [await semaphore.acquire(), await semaphore.acquire()];
  const waiting = semaphore.acquire();
  await expect(semaphore.acquire()).rejects.toThrow("full");
  expect(semaphore.tryAcquire()).toBeUndefined();
  expect(state()).toEqual({ held: 2, waiting: 1, timers: 1 });
  held[0]?.[Symbol.dispose]();
  const last = await waiting;
  expect(state()).toEqual({ held: 2, waiting: 0, timers: 0 });
  for (const permit of [...held, last]) permit[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("waiting callers receive permits in call order", async () => {
  const { semaphore, state } = newSemaphore(1, 5);
  const served: number[] = [];
  const first = await semaphore.acquire();
  const others = [1, 2, 3].map(async (number) => {
    using _permit = await semaphore.acquire();
    served.push(number);
  });
  first[Symbol.dispose]();
  await Promise.all(others);
  expect(served).toEqual([1, 2, 3]);
  expect(state()).toEqual(NOTHING);
});

test("a share holds at most `perShare` permits, and other shares receive permits immediately", async () => {
  const clock = new FakeClock();
  const semaphore = new Semaphore({ limit: 3, perShare: 2, maxWaiting: 9, clock, onFull: () => new Error("full") });
  const flood = [await semaphore.acquire(undefined, "a"), await semaphore.acquire(undefined, "a")];
  const served: string[] = [];
  const waiting = ["a", "a"].map(async (share) => {
    using _permit = await semaphore.acquire(undefined, share);
    served.push(share);
  });
  await settled();
  expect({ served, held: semaphore.held, waiting: semaphore.waiting }).toEqual({ served: [], held: 2, waiting: 2 });
  const other = await semaphore.acquire(undefined, "b");
  other[Symbol.dispose]();
  await settled();
  expect(served).toEqual([]);
  for (const permit of flood) permit[Symbol.dispose]();
  await Promise.all(waiting);
  expect(semaphore.held).toBe(0);
});

test("a caller that arrives while a permit is being handed over doesn't overtake the next caller in the queue", async () => {
  const { semaphore, state } = newSemaphore(1, 5);
  const served: string[] = [];
  const first = await semaphore.acquire();
  const waiting = semaphore.acquire().then((permit) => {
    served.push("waiting");
    return permit;
  });
  first[Symbol.dispose]();
  const late = semaphore.acquire().then((permit) => {
    served.push("late");
    return permit;
  });
  await settled();
  expect(served).toEqual(["waiting"]);
  (await waiting)[Symbol.dispose]();
  (await late)[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("releasing a permit twice has no effect", async () => {
  const { semaphore, state } = newSemaphore(1, 2);
  const first = await semaphore.acquire();
  const [second, third] = [semaphore.acquire(), semaphore.acquire()];
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await settled();
  expect(state()).toMatchObject({ held: 1, waiting: 1 });
  (await second)[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("a caller waits up to `maxWaitMs`", async () => {
  const { semaphore, clock, state } = newSemaphore(1, 1);
  const first = await semaphore.acquire();
  const late = semaphore.acquire().catch((reason: unknown) => reason);
  await clock.pass(1000);
  expect(await late).toMatchObject({ message: "late" });
  first[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});

test("an aborted caller leaves the queue, even if a permit becomes free at the same time", async () => {
  const { semaphore, state } = newSemaphore(1, 2);
  const first = await semaphore.acquire();
  const callers = [new AbortController(), new AbortController()] as const;
  const left = callers.map(({ signal }) => expect(semaphore.acquire(signal)).rejects.toBe(GONE));
  callers[0].abort(GONE);
  await left[0];
  expect(state()).toMatchObject({ waiting: 1 });
  callers[1].abort(GONE);
  first[Symbol.dispose]();
  await left[1];
  expect(state()).toEqual(NOTHING);
  await expect(semaphore.acquire(AbortSignal.abort(GONE))).rejects.toBe(GONE);
});

test("a share with many callers doesn't delay another share", async () => {
  const { semaphore, state } = newSemaphore(2, 10);
  const served: string[] = [];
  const use = async (share: string): Promise<void> => {
    using _permit = await semaphore.acquire(undefined, share);
    served.push(share);
    await settled();
  };
  await Promise.all(["many", "many", "many", "many", "few", "many", "few"].map(use));
  expect(served).toEqual(["many", "many", "few", "many", "few", "many", "many"]);
  expect(state()).toEqual(NOTHING);
});

test("in a full queue, a new caller replaces the last caller of the largest share", async () => {
  const { semaphore, state } = newSemaphore(1, 3);
  const first = await semaphore.acquire(undefined, "many");
  const many = [1, 2, 3].map(() => semaphore.acquire(undefined, "many"));
  await expect(semaphore.acquire(undefined, "many")).rejects.toThrow("full");
  const few = semaphore.acquire(undefined, "few");
  await expect(many[2]).rejects.toThrow("full");
  // "few" would have as many waiting callers as "many", so its new caller is rejected.
  await expect(semaphore.acquire(undefined, "few")).rejects.toThrow("full");
  expect(state()).toMatchObject({ held: 1, waiting: 3 });
  first[Symbol.dispose]();
  for (const waiting of [...many.slice(0, 2), few]) (await waiting)[Symbol.dispose]();
  expect(state()).toEqual(NOTHING);
});
