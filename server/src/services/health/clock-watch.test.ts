import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { ClockWatch } from "./clock-watch.ts";

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** Starts a server's clock watch with a previously noted time, if any. */
async function start(noted: { at: Date | undefined }, clock = new FakeClock()) {
  const log = new RecordingLog();
  const read = async (): Promise<Date | undefined> => noted.at;
  const write = async (now: Date): Promise<void> => void (noted.at = now);
  const watch = new ClockWatch({ noted: { read, write }, clock, log });
  await watch.start();
  return {
    noted,
    clock,
    watch,
    refusal: () => watch.refusal?.message,
    events: () => log.lines.map(({ event }) => event),
  };
}

test("the time is noted each minute, and disposing leaves no timers", async () => {
  const { noted, clock, watch, events } = await start({ at: undefined });
  await clock.pass(59_000);
  expect(noted.at).toBeUndefined();
  await clock.pass(121_000);
  expect([clock.now().getTime() - Number(noted.at), events()]).toEqual([0, []]);
  watch[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});

test("a server whose clock is behind opens no browsers until the clock reaches the recorded time", async () => {
  const { clock, refusal, events } = await start({ at: undefined });
  await clock.pass(60_000);
  clock.set(-60_000);
  expect(refusal()).toBeUndefined();
  await clock.pass(2000);
  clock.set(-60_001);
  expect(refusal()).toMatch(
    /^The clock of this server is 60 s behind the time in clock\.last, .*delete the file clock\.last/,
  );
  await clock.pass(4000);
  expect([refusal(), events()]).toEqual([undefined, ["clock.off"]]);
});

test.each([
  ["a year ahead of the last recorded time", 367 * DAY_MS, /31708800 s ahead of/],
  ["behind it", -61_000, /61 s behind/],
])("a server whose clock is %s at startup waits for the operator's confirmation", async (_, aheadMs, message) => {
  const before = new FakeClock().now().getTime();
  const { noted, clock, refusal, events } = await start({ at: new Date(before - aheadMs) });
  expect(refusal()).toMatch(message);
  await clock.pass(aheadMs > 0 ? HOUR_MS : 0);
  expect([refusal() === undefined, events()]).toEqual([false, ["clock.off"]]);
  noted.at = undefined;
  await clock.pass(2000);
  expect([refusal(), events()]).toEqual([undefined, ["clock.off"]]);
});

test("a server that was stopped for a year opens browsers", async () => {
  const { refusal, events } = await start({ at: new Date(new FakeClock().now().getTime() - 365 * DAY_MS) });
  expect([refusal(), events()]).toEqual([undefined, []]);
});

test("a server whose clock is set ahead by more than a week opens no browsers until the clock is set back", async () => {
  const { clock, refusal, events, noted } = await start({ at: undefined });
  await clock.pass(HOUR_MS);
  const last = noted.at;
  clock.set(400 * DAY_MS);
  expect(refusal()).toMatch(/34560000 s ahead of/);
  await clock.pass(HOUR_MS);
  expect([refusal() === undefined, noted.at]).toEqual([false, last]);
  clock.set(-400 * DAY_MS);
  expect(refusal()).toBeUndefined();
  await clock.pass(2000);
  expect(events()).toEqual(["clock.off"]);
});

test("a server on a virtual machine that was paused for a week logs a warning, and opens browsers", async () => {
  const { clock, refusal, events } = await start({ at: undefined });
  await clock.pass(HOUR_MS);
  clock.set(7 * DAY_MS);
  await clock.pass(HOUR_MS);
  expect([refusal(), events()]).toEqual([undefined, ["clock.off"]]);
});
