import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { RecordingMetrics } from "../../../test/fakes/recording-metrics.ts";
import type { Started } from "../../ports/store/store.ts";
import { CHARGE_EVERY_MS, Charges } from "./charges.ts";
import { Meter } from "./meter.ts";
import { Outbox } from "../store/outbox.ts";

const MINUTE = 60_000;
const FULL = new Error("The disk is full.");

/** Returns a new browser's meter, and a store that can run out of space. */
function newMeter(start?: string, due?: Date) {
  const [clock, log, metrics] = [new FakeClock(start), new RecordingLog(), new RecordingMetrics()];
  const ledger = { minutes: 1, writes: 0, ends: 0, isFull: false };
  const grow = (minutes: number): number => {
    if (ledger.isFull) throw FULL;
    const units = Math.max(0, minutes - ledger.minutes);
    ledger.minutes += units;
    return units;
  };
  const store = {
    async charge(started: readonly Started[]) {
      ledger.writes += 1;
      return started.map(({ minutes }) => grow(minutes)).reduce((sum, one) => sum + one, 0);
    },
    async cancel() {},
    async close(_id: string, { minutes }: { readonly minutes: number }) {
      const units = grow(minutes);
      ledger.ends += 1;
      return units;
    },
  };
  const outbox = new Outbox({ clock, log });
  const charges = new Charges({ store, outbox, clock, metrics });
  const common = { accountId: "a1", openedAt: clock.now(), due: () => due, store, charges, outbox, clock, metrics };
  const meter = new Meter({ ...common, id: "b1" });
  meter.start();
  const counted = (): number => metrics.of("unitsCharged").reduce((sum, [units]) => sum + Number(units), 0);
  return { meter, clock, log, ledger, store, counted, common };
}

describe("a meter", () => {
  test("charges each minute five seconds after it starts", async () => {
    const { clock, ledger, counted } = newMeter();
    await clock.pass(MINUTE + CHARGE_EVERY_MS - 1);
    expect(ledger.minutes).toBe(1);
    await clock.pass(1);
    expect(ledger.minutes).toBe(2);
    await clock.pass(2 * MINUTE);
    expect([ledger.minutes, counted()]).toEqual([4, 3]);
  });

  test("charges its minutes together with other browsers' minutes", async () => {
    const { clock, ledger, common } = newMeter();
    await clock.pass(CHARGE_EVERY_MS - 1);
    for (const id of ["b2", "b3"]) new Meter({ ...common, id }).start();
    await clock.pass(MINUTE + 1);
    expect(ledger.writes).toBe(1);
  });

  test("charges unwritten minutes exactly once after the store has recovered", async () => {
    const { clock, ledger, log, counted } = newMeter();
    ledger.isFull = true;
    await clock.pass(2 * MINUTE);
    expect([ledger.minutes, counted()]).toEqual([1, 0]);
    expect(log.lines.at(-1)).toEqual({ event: "browsers.charge_failed", facts: { error: FULL } });
    ledger.isFull = false;
    await clock.pass(5000);
    expect([ledger.minutes, counted()]).toEqual([3, 2]);
    const { writes } = ledger;
    await clock.pass(MINUTE - 5000 + CHARGE_EVERY_MS);
    expect([ledger.minutes, ledger.writes]).toEqual([4, writes + 1]);
  });

  test("stops when the browser ends, and charges all uncharged and missed minutes", async () => {
    const { meter, clock, ledger, counted } = newMeter();
    ledger.isFull = true;
    await clock.pass(MINUTE + CHARGE_EVERY_MS);
    ledger.isFull = false;
    // The timer for the third minute is late, as if the machine had been suspended.
    await meter.settle({ at: new Date(clock.now().getTime() + 2 * MINUTE), reason: "requested" });
    expect([ledger.minutes, counted(), ledger.ends]).toEqual([4, 3, 1]);
    await clock.pass(5000);
    expect(clock.pending).toBe(0);
  });

  test("if recording the browser's end fails, retries until it is recorded once", async () => {
    const { meter, clock, ledger, log } = newMeter();
    ledger.isFull = true;
    await meter.settle({ at: clock.now(), reason: "requested" });
    expect(log.lines.at(-1)).toEqual({ event: "browser.settle_failed", facts: { id: "b1", error: FULL } });
    await clock.pass(4999);
    ledger.isFull = false;
    expect(ledger.ends).toBe(0);
    await clock.pass(1);
    expect([ledger.ends, ledger.minutes, clock.pending]).toEqual([1, 1, 0]);
  });

  test("doesn't charge a minute that starts exactly when the browser closes", async () => {
    const start = "2026-11-21T10:00:00.000Z";
    const dueAt = new Date(Date.parse(start) + MINUTE);
    const { meter, clock, ledger } = newMeter(start, dueAt);
    await clock.pass(MINUTE + CHARGE_EVERY_MS);
    await meter.settle({ at: dueAt, reason: "lifetime" });
    expect([ledger.minutes, clock.pending]).toEqual([1, 0]);
  });

  test("charges a minute that starts at the due time if a client keeps the browser open", async () => {
    const start = "2026-11-21T10:00:00.000Z";
    const dueAt = new Date(Date.parse(start) + MINUTE);
    const { clock, ledger } = newMeter(start, dueAt);
    await clock.pass(MINUTE);
    dueAt.setTime(dueAt.getTime() + 30 * MINUTE);
    await clock.pass(1000 + CHARGE_EVERY_MS);
    expect(ledger.minutes).toBe(2);
    await clock.pass(MINUTE - 1000);
    expect(ledger.minutes).toBe(3);
  });

  test("counts a minute once if the browser ends while the minute is being charged", async () => {
    const { meter, clock, store, ledger, counted } = newMeter();
    const { charge } = store;
    let settled: Promise<void> | undefined;
    store.charge = (wanted) => {
      settled = meter.settle({ at: clock.now(), reason: "requested" });
      return charge(wanted);
    };
    await clock.pass(MINUTE + CHARGE_EVERY_MS);
    await settled;
    expect([ledger.minutes, counted()]).toEqual([2, 1]);
  });
});
