import { expect, test } from "vitest";
import { OPTIONS } from "../../../test/support/servers/services-rig.ts";
import { settled } from "../../../test/fakes/fake-clock.ts";
import { SETS, type WarmRig, newWarmRig, openedLogs } from "../../../test/support/servers/warm-rig.ts";
import type { LaunchOptions } from "../../domain/browser/open-options.ts";

const MINUTE_MS = 60_000;
const GERMAN = { switches: ["--lang=de"] };
const FRENCH = { switches: ["--lang=fr"] };

/** The first warm browsers use the rig's options and start after half a second. */
function newAutoRig(limit: number, changes: Parameters<typeof newWarmRig>[0] = {}): Promise<WarmRig> {
  return newWarmRig({ warm: [], auto: { limit, first: OPTIONS }, ...changes });
}

/** Opens and closes browsers one after another, with enough time in between to start a warm browser. */
async function openEach(rig: WarmRig, options: readonly Partial<LaunchOptions>[]): Promise<void> {
  const account = await rig.account({ units: 1000 });
  for (const each of options) {
    const browser = await rig.open(account, each);
    await browser.close("requested");
    await rig.clock.pass(1000);
  }
}

function warmth(rig: WarmRig): unknown[] {
  return openedLogs(rig).map((facts) => (facts as { isWarm: boolean }).isWarm);
}

test("one browser with the default options is ready at first", async () => {
  await using rig = await newAutoRig(4);
  await rig.clock.pass(500);
  await openEach(rig, [OPTIONS]);
  expect(warmth(rig)).toEqual([true]);
  await rig.clock.pass(60 * MINUTE_MS);
  expect(rig.pool.ready).toBe(1);
});

test("options requested twice get a warm browser, which they lose after a long time without requests", async () => {
  await using rig = await newAutoRig(4);
  await openEach(rig, [GERMAN, GERMAN, GERMAN]);
  expect(warmth(rig)).toEqual([false, false, true]);
  await rig.clock.pass(5 * MINUTE_MS);
  expect(rig.pool.ready).toBe(2);
  await rig.clock.pass(30 * MINUTE_MS);
  expect([rig.pool.ready, rig.host.running]).toEqual([1, 1]);
  expect(rig.log.lines.at(-1)).toMatchObject({ event: "warm.ended", facts: { kind: "chromium", switches: 1 } });
});

test("the number of warm browsers is limited, and default options give up their slot to options that are opened more often", async () => {
  await using rig = await newAutoRig(1);
  await rig.clock.pass(500);
  await openEach(rig, [GERMAN, GERMAN, GERMAN, GERMAN, GERMAN]);
  expect([rig.pool.size, rig.host.running]).toEqual([1, 1]);
  await openEach(rig, [OPTIONS, FRENCH, GERMAN]);
  expect(warmth(rig).slice(-3)).toEqual([false, false, true]);
});

test("opening browsers with many different options starts no warm browsers", async () => {
  await using rig = await newAutoRig(8);
  await rig.clock.pass(500);
  await openEach(
    rig,
    Array.from({ length: 30 }, (_, set) => ({ switches: [`--user-agent=${set}`] })),
  );
  expect(rig.controlled.specs).toHaveLength(1 + 30);
});

test("a fixed set of warm browsers is kept in addition to browsers with recently opened options", async () => {
  const fixed = { ...OPTIONS, isStealthy: false };
  await using rig = await newAutoRig(2, { warm: [{ options: fixed, count: 2 }] });
  await openEach(rig, [GERMAN, GERMAN, fixed, fixed, GERMAN]);
  expect(warmth(rig)).toEqual([false, false, true, true, true]);
  expect(rig.pool.ready).toBe(4);
  await rig.clock.pass(120 * MINUTE_MS);
  expect(rig.pool.ready).toBe(3);
});

test("a browser that an Open request is waiting for isn't ended when its options lose their slot", async () => {
  await using rig = await newAutoRig(1);
  const start = Promise.withResolvers<void>();
  rig.controlled.gates.push(start.promise);
  await rig.clock.pass(500);
  const opening = rig.open(await rig.account());
  await settled();
  await openEach(rig, [GERMAN, GERMAN, GERMAN, GERMAN, GERMAN]);
  start.resolve();
  await opening;
  expect(warmth(rig).at(-1)).toBe(true);
});

test("no timers remain after shutdown", async () => {
  await using rig = await newAutoRig(1, { warm: SETS });
  await rig.pool[Symbol.asyncDispose]();
  expect(rig.clock.pending).toBe(0);
});
