import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { StoreUnavailable } from "../../ports/store.ts";
import type { WantedState, WorkerRegistry, WorkerReport } from "../../ports/worker-registry.ts";
import { Membership } from "./membership.ts";

const REPORT: WorkerReport = {
  version: "1.0.0",
  kinds: ["chromium"],
  plans: "12345678",
  capacity: 4,
  taken: 1,
  warm: 0,
};

/** A registry with one entry, of this server. */
class FakeRegistry implements WorkerRegistry {
  entry: { wanted: WantedState } | undefined;
  isAway = false;
  reports = 0;

  async register(): Promise<WantedState> {
    this.entry ??= { wanted: "active" };
    return this.entry.wanted;
  }

  async report(): Promise<WantedState | undefined> {
    if (this.isAway) throw new StoreUnavailable("It is away.");
    this.reports += 1;
    return this.entry?.wanted;
  }

  async leave(): Promise<void> {
    if (this.isAway) throw new StoreUnavailable("It is away.");
    this.entry = undefined;
  }

  list = (): never => expect.unreachable();
  want = (): never => expect.unreachable();
  remove = (): never => expect.unreachable();
}

async function newRig() {
  const [registry, clock, log] = [new FakeRegistry(), new FakeClock(), new RecordingLog()];
  let ends = 0;
  const endBrowsers = async (): Promise<void> => void (ends += 1);
  const membership = new Membership({ registry, clock, log, report: () => REPORT, endBrowsers });
  await membership.start();
  return { registry, clock, log, membership, ends: () => ends, events: () => log.lines.map(({ event }) => event) };
}

test("a server reports every two seconds until it leaves", async () => {
  const { registry, clock, membership } = await newRig();
  await clock.pass(10_000);
  expect(registry.reports).toBe(5);
  await membership[Symbol.asyncDispose]();
  expect([registry.entry, clock.pending]).toEqual([undefined, 0]);
});

test("a cordoned server refuses to open browsers, also after a restart, until the operator wants it again", async () => {
  const { registry, clock, membership, log } = await newRig();
  registry.entry = { wanted: "cordoned" };
  await clock.pass(2000);
  expect(membership.refusal).toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 30 });
  const restarted = new Membership({ registry, clock, log, report: () => REPORT, endBrowsers: async () => {} });
  await restarted.start();
  expect(restarted.refusal).toBeDefined();
  registry.entry = { wanted: "active" };
  await clock.pass(2000);
  expect([membership.refusal, restarted.refusal]).toEqual([undefined, undefined]);
});

test("a server that was removed ends its browsers and joins again", async () => {
  const { registry, clock, ends, events } = await newRig();
  registry.entry = undefined;
  await clock.pass(2000);
  expect([ends(), registry.entry, events()]).toEqual([1, { wanted: "active" }, ["worker.removed"]]);
  await clock.pass(4000);
  expect(ends()).toBe(1);
});

test("while the database is away, browsers stay, and it is logged once", async () => {
  const { registry, clock, membership, ends, events } = await newRig();
  registry.isAway = true;
  await clock.pass(20_000);
  expect([ends(), membership.refusal, events()]).toEqual([0, undefined, ["worker.report_failed"]]);
  registry.isAway = false;
  await clock.pass(2000);
  expect(events()).toEqual(["worker.report_failed", "worker.back"]);
  registry.isAway = true;
  await membership[Symbol.asyncDispose]();
  expect(clock.pending).toBe(0);
});
