import { expect, test } from "vitest";
import { FakeClock, settled } from "../../../test/fakes/fake-clock.ts";
import { toWorker } from "../../../test/support/servers/cluster-rig.ts";
import { Placement } from "./placement.ts";
import { WorkerQueue } from "./worker-queue.ts";

const WANTED = { kind: "chromium", digest: "" } as const;

/** Returns a deployment with one full worker. */
function newRig() {
  const clock = new FakeClock();
  const placement = new Placement({ clock, random: () => 0 });
  let reports = 0;
  const report = (free: number): void =>
    placement.update([toWorker("one", { capacity: 9, taken: 9 - free, seenAt: new Date((reports += 1)) })]);
  report(0);
  let looks = 0;
  const gate = { opens: Promise.resolve() };
  const look = async (): Promise<void> => {
    looks += 1;
    await gate.opens;
    if (looks === 2) throw new Error("The store is unavailable.");
  };
  const queue = new WorkerQueue({ placement, look, clock });
  const served: string[] = [];
  const wait = (
    account: string,
    name: string,
    signal = new AbortController().signal,
    { kind = WANTED.kind, turn = queue.newTurn() } = {},
  ) => queue.wait(account, { ...WANTED, kind, turn }, 45_000, signal).then((placed) => (served.push(name), placed));
  return { clock, placement, report, queue, served, wait, gate, looks: () => looks };
}

test("accounts take turns, and an account's requests are served in order", async () => {
  const { report, queue, served, wait } = newRig();
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void wait(name.slice(0, 1), name);
  report(2);
  await settled();
  expect(served).toEqual(["a1", "b1"]);
  report(3);
  await settled();
  expect([served.slice(2), queue.waiting]).toEqual([["c1", "a2", "b2"], 1]);
});

test("a request that a worker refuses keeps its turn, and so does its account", async () => {
  const { report, queue, served, wait } = newRig();
  const [a1, a2, b1] = [queue.newTurn(), queue.newTurn(), queue.newTurn()];
  // The worker refuses the second request before the first.
  void wait("a", "a2", undefined, { turn: a2 });
  void wait("b", "b1", undefined, { turn: b1 });
  const first = wait("a", "a1", undefined, { turn: a1 });
  report(1);
  (await first).settle("full");
  void wait("a", "a1 again", undefined, { turn: a1 });
  for (const free of [1, 1, 1]) {
    report(free);
    await settled();
  }
  expect(served).toEqual(["a1", "a1 again", "b1", "a2"]);
});

test("an account whose only request was refused keeps its turn", async () => {
  const { report, queue, served, wait } = newRig();
  const turn = queue.newTurn();
  const first = wait("a", "a1", undefined, { turn });
  void wait("b", "b1");
  report(1);
  (await first).settle("full");
  void wait("a", "a1 again", undefined, { turn });
  report(1);
  await settled();
  expect(served).toEqual(["a1", "a1 again"]);
});

test("a released slot is assigned to a waiting request, not to a cancelled request", async () => {
  const { placement, report, queue, served, wait, clock } = newRig();
  report(1);
  const placed = placement.place("chromium");
  const leaving = new AbortController();
  const left = wait("a", "a1", leaving.signal).catch((error: unknown) => error);
  void wait("b", "b1");
  leaving.abort(new Error("gone"));
  expect(await left).toBe(leaving.signal.reason);
  placed?.settle("failed");
  await settled();
  expect([served, queue.waiting, clock.pending]).toEqual([["b1"], 0, 0]);
  report(1);
  expect(placement.place("chromium")).toBeDefined();
});

test("requests for one kind of browser don't delay another account's requests for another kind", async () => {
  const { report, served, wait } = newRig();
  void wait("a", "a1", undefined, { kind: "chrome" as never });
  void wait("b", "b1");
  report(1);
  await settled();
  expect(served).toEqual(["b1"]);
});

test("the waiting time and the number of waiting requests are limited", async () => {
  const { clock, queue, wait } = newRig();
  const all = Array.from({ length: 1000 }, (_, index) => wait(`account ${index % 7}`, "x").catch(() => "full"));
  await expect(wait("account 0", "x")).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  await clock.pass(45_000);
  expect(new Set(await Promise.all(all))).toEqual(new Set(["full"]));
  expect([queue.waiting, clock.pending]).toEqual([0, 0]);
});

test("if an account has too many requests, its latest is refused, so other accounts aren't blocked", async () => {
  const { clock, queue, report, served, wait } = newRig();
  const refused: number[] = [];
  for (let index = 0; index < 1000; index += 1) void wait("large", "x").catch(() => refused.push(index));
  void wait("small", "s1");
  await settled();
  expect([refused, queue.waiting]).toEqual([[999], 1000]);
  report(2);
  await settled();
  expect(served).toEqual(["x", "s1"]);
  await clock.pass(45_000);
  expect([refused.length, queue.waiting, clock.pending]).toEqual([999, 0, 0]);
});

test("the workers' reports are read twice a second while requests wait, even after a failure", async () => {
  const { clock, report, served, wait, looks } = newRig();
  await clock.pass(5000);
  expect(looks()).toBe(0);
  for (const name of ["a1", "a2"]) void wait("a", name);
  await clock.pass(2000);
  expect(looks()).toBe(4);
  report(2);
  await settled();
  await clock.pass(5000);
  expect([served, looks(), clock.pending]).toEqual([["a1", "a2"], 4, 0]);
});

test("requests that arrive or end during a read don't cause more reads", async () => {
  const { clock, wait, gate, looks } = newRig();
  const leaving = new AbortController();
  const left = wait("a", "a1", leaving.signal).catch(() => {});
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.opens = promise;
  await clock.pass(500);
  leaving.abort(new Error("gone"));
  await left;
  void wait("a", "a2").catch(() => {});
  await clock.pass(1000);
  expect(looks()).toBe(1);
  resolve();
  await clock.pass(0);
  await clock.pass(2000);
  expect(looks()).toBe(5);
});
