import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { RecordingMetrics } from "../../../test/fakes/recording-metrics.ts";
import type { Charge } from "../../ports/store.ts";
import { Meter } from "./meter.ts";
import { Outbox } from "./outbox.ts";

const MINUTE = 60_000;
const FULL = new Error("The disk is full.");

/** A meter of a browser that has just opened, and a store that a test can fill up. */
function newMeter(start?: string, due?: Date) {
  const [clock, log, metrics] = [new FakeClock(start), new RecordingLog(), new RecordingMetrics()];
  const ledger = { charged: new Map<number, string>(), ends: 0, isFull: false };
  const enter = ({ minute, period }: Charge): number => {
    const isNew = !ledger.charged.has(minute);
    ledger.charged.set(minute, period);
    return isNew ? 1 : 0;
  };
  const store = {
    async charge(charge: Charge) {
      if (ledger.isFull) throw FULL;
      return enter(charge);
    },
    async close(_id: string, { charges }: { charges: readonly Charge[] }) {
      if (ledger.isFull) throw FULL;
      ledger.ends += 1;
      return charges.map(enter).reduce((sum, one) => sum + one, 0);
    },
  };
  const meter = new Meter({
    outbox: new Outbox({ clock, log }),
    id: "b1",
    accountId: "a1",
    openedAt: clock.now(),
    due: () => due,
    store,
    clock,
    log,
    metrics,
  });
  meter.start();
  const counted = (): number => metrics.of("unitsCharged").reduce((sum, [units]) => sum + Number(units), 0);
  return { meter, clock, log, ledger, store, counted, minutes: () => [...ledger.charged.keys()] };
}

describe("a meter", () => {
  test("charges each minute exactly when it starts", async () => {
    const { clock, minutes, counted } = newMeter();
    await clock.pass(MINUTE - 1);
    expect(minutes()).toEqual([]);
    await clock.pass(1);
    expect(minutes()).toEqual([1]);
    await clock.pass(2 * MINUTE);
    expect([minutes(), counted()]).toEqual([[1, 2, 3], 3]);
  });

  test("charges a minute to the month it starts in", async () => {
    const { clock, ledger } = newMeter("2026-11-30T23:58:30.000Z");
    await clock.pass(2 * MINUTE);
    expect([...ledger.charged.values()]).toEqual(["2026-11", "2026-12"]);
  });

  test("charges a minute to that month even if it is written in the next one", async () => {
    const { clock, ledger } = newMeter("2026-11-30T23:57:30.000Z");
    ledger.isFull = true;
    await clock.pass(2 * MINUTE);
    ledger.isFull = false;
    await clock.pass(MINUTE);
    expect([...ledger.charged.values()]).toEqual(["2026-11", "2026-11", "2026-12"]);
  });

  test("charges minutes that could not be written with the next one, once each", async () => {
    const { clock, ledger, log, minutes, counted } = newMeter();
    ledger.isFull = true;
    await clock.pass(2 * MINUTE);
    expect([minutes(), counted()]).toEqual([[], 0]);
    expect(log.lines.at(-1)).toEqual({ event: "browser.charge_failed", facts: { id: "b1", owed: 2, error: FULL } });
    ledger.isFull = false;
    await clock.pass(MINUTE);
    expect([minutes(), counted()]).toEqual([[1, 2, 3], 3]);
  });

  test("stops at the end, charging unpaid minutes and those that the timer missed", async () => {
    const { meter, clock, ledger, minutes, counted } = newMeter();
    ledger.isFull = true;
    await clock.pass(MINUTE);
    ledger.isFull = false;
    // As after the machine was suspended: the timer for the third minute is late.
    await meter.settle(new Date(clock.now().getTime() + 2 * MINUTE + 1), "requested");
    expect([minutes(), counted(), ledger.ends]).toEqual([[1, 2, 3], 3, 1]);
    expect(clock.pending).toBe(0);
  });

  test("retries an end that can't be written, until it is written once", async () => {
    const { meter, clock, ledger, log, minutes } = newMeter();
    ledger.isFull = true;
    await meter.settle(clock.now(), "requested");
    expect(log.lines.at(-1)).toEqual({ event: "browser.settle_failed", facts: { id: "b1", error: FULL } });
    await clock.pass(4999);
    ledger.isFull = false;
    expect(ledger.ends).toBe(0);
    await clock.pass(1);
    expect([ledger.ends, minutes(), clock.pending]).toEqual([1, [], 0]);
  });

  test("doesn't charge the minute at whose start the browser closes", async () => {
    const start = "2026-11-21T10:00:00.000Z";
    const dueAt = new Date(Date.parse(start) + MINUTE);
    const { meter, clock, minutes } = newMeter(start, dueAt);
    await clock.pass(MINUTE + 5);
    expect(minutes()).toEqual([]);
    await meter.settle(dueAt, "lifetime");
    expect([minutes(), clock.pending]).toEqual([[], 0]);
  });

  test("charges that minute after all when a client keeps the browser open", async () => {
    const start = "2026-11-21T10:00:00.000Z";
    const dueAt = new Date(Date.parse(start) + MINUTE);
    const { clock, minutes } = newMeter(start, dueAt);
    await clock.pass(MINUTE);
    dueAt.setTime(dueAt.getTime() + 30 * MINUTE);
    await clock.pass(1000);
    expect(minutes()).toEqual([1]);
    await clock.pass(MINUTE - 1000);
    expect(minutes()).toEqual([1, 2]);
  });

  test("counts a minute once if the browser ends while it is being charged", async () => {
    const { meter, clock, store, minutes, counted } = newMeter();
    const { charge } = store;
    let settled: Promise<void> | undefined;
    store.charge = (wanted) => {
      settled = meter.settle(clock.now(), "requested");
      return charge(wanted);
    };
    await clock.pass(MINUTE);
    await settled;
    expect([minutes(), counted()]).toEqual([[1], 1]);
  });
});
