import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { addOpenBrowser } from "../../../test/support/browsers/stored-browser.ts";
import { openTestStore } from "../../../test/support/databases/stores.ts";
import { Retention } from "./retention.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const BEGINNING = new Date(0);

async function newStore(count: number) {
  const store = await openTestStore();
  const none = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  const flags = { isDisabled: false, isOperator: false, createdAt: NOW, version: 0 };
  await store.accounts.create({ id: "one", email: "one@example.com", ...none, ...flags }, {});
  for (let index = 0; index < count; index += 1) {
    const openedAt = new Date(NOW.getTime() - index * 3_600_000);
    await addOpenBrowser(store.browsers, { id: `b${index}`, accountId: "one", openedAt });
    await store.browsers.close(`b${index}`, { at: openedAt, reason: "requested", minutes: 1 });
  }
  return store;
}

test("records of browsers that ended too long ago are deleted, but their units remain", async () => {
  await using store = await newStore(60);
  const clock = new FakeClock(NOW.toISOString());
  using retention = new Retention({ store, days: 1, clock, log: new RecordingLog() });
  retention.start();
  const left = async () => (await store.usage.ended("one", undefined, 100)).length;
  await clock.pass(1);
  // A browser that ended exactly a day ago is kept.
  expect(await left()).toBe(25);
  await clock.pass(3_600_000);
  expect(await left()).toBe(24);
  expect((await store.usage.month("one", "2026-11")).units).toBe(60);
});

test("records are kept forever if no number of days is set", async () => {
  await using store = await newStore(3);
  const clock = new FakeClock(NOW.toISOString());
  using retention = new Retention({ store, days: undefined, clock, log: new RecordingLog() });
  retention.start();
  await clock.pass(10_000_000);
  expect(await store.usage.ended("one", undefined, 100)).toHaveLength(3);
  expect(await store.deleteEnded(BEGINNING, 10)).toBe(0);
});

test("an Idempotency-Key is freed a day after its browser ends, even if records are kept", async () => {
  await using store = await newStore(0);
  const clock = new FakeClock(NOW.toISOString());
  const idempotency = { key: "key", options: "options" };
  await addOpenBrowser(store.browsers, { id: "b", accountId: "one", openedAt: NOW, idempotency });
  await store.browsers.close("b", { at: NOW, reason: "requested", minutes: 1 });
  using retention = new Retention({ store, days: undefined, clock, log: new RecordingLog() });
  retention.start();
  const isTaken = async () => (await store.browsers.findKeyed("one", ["key"])) !== undefined;
  await clock.pass(86_400_000);
  expect(await isTaken()).toBe(true);
  await clock.pass(3_600_000);
  expect(await isTaken()).toBe(false);
});

test("a deletion that fails because of the store is retried an hour later", async () => {
  const asked: number[] = [];
  const [clock, log] = [new FakeClock(NOW.toISOString()), new RecordingLog()];
  const deleteEnded = async (): Promise<number> => {
    asked.push(clock.now().getTime());
    throw new Error("The disk is full.");
  };
  using retention = new Retention({
    store: { deleteEnded, browsers: { freeKeys: async () => 0 } },
    days: 1,
    clock,
    log,
  });
  retention.start();
  await clock.pass(3_600_001);
  expect(asked).toHaveLength(2);
  expect(log.lines.map(({ event }) => event)).toEqual(["history.delete_failed", "history.delete_failed"]);
});
