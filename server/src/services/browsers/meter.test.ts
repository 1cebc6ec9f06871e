import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { KeptLog } from "../../../test/fakes/kept-log.ts";
import { KeptMetrics } from "../../../test/fakes/kept-metrics.ts";
import type { Charge } from "../../ports/store.ts";
import { Meter } from "./meter.ts";

const MINUTE = 60_000;
const FULL = new Error("The disk is full.");

/** A meter of a browser that has just opened, and books that are written unless they are full. */
function newMeter(start?: string) {
  const [clock, log, metrics] = [new FakeClock(start), new KeptLog(), new KeptMetrics()];
  const books = { charged: new Map<number, string>(), ends: 0, isFull: false };
  const enter = ({ minute, period }: Charge): number => {
    const isNew = !books.charged.has(minute);
    books.charged.set(minute, period);
    return isNew ? 1 : 0;
  };
  const store = {
    async charge(charge: Charge) {
      if (books.isFull) throw FULL;
      return enter(charge);
    },
    async close(_id: string, { charges }: { charges: readonly Charge[] }) {
      if (books.isFull) throw FULL;
      books.ends += 1;
      return charges.map(enter).reduce((sum, one) => sum + one, 0);
    },
  };
  const meter = new Meter({ id: "b1", openedAt: clock.now(), store, clock, log, metrics });
  meter.start();
  const counted = (): number => metrics.of("unitsCharged").reduce((sum, [units]) => sum + Number(units), 0);
  return { meter, clock, log, books, store, counted, minutes: () => [...books.charged.keys()] };
}

describe("a meter", () => {
  test("charges each minute when it starts, and no moment before", async () => {
    const { clock, minutes, counted } = newMeter();
    await clock.pass(MINUTE - 1);
    expect(minutes()).toEqual([]);
    await clock.pass(1);
    expect(minutes()).toEqual([1]);
    await clock.pass(2 * MINUTE);
    expect([minutes(), counted()]).toEqual([[1, 2, 3], 3]);
  });

  test("charges a minute to the month it starts in", async () => {
    const { clock, books } = newMeter("2026-11-30T23:58:30.000Z");
    await clock.pass(2 * MINUTE);
    expect([...books.charged.values()]).toEqual(["2026-11", "2026-12"]);
  });

  test("charges a minute to that month even when the books take it only in the next one", async () => {
    const { clock, books } = newMeter("2026-11-30T23:57:30.000Z");
    books.isFull = true;
    await clock.pass(2 * MINUTE);
    books.isFull = false;
    await clock.pass(MINUTE);
    expect([...books.charged.values()]).toEqual(["2026-11", "2026-11", "2026-12"]);
  });

  test("charges minutes that the books refused with the next one, each once", async () => {
    const { clock, books, log, minutes, counted } = newMeter();
    books.isFull = true;
    await clock.pass(2 * MINUTE);
    expect([minutes(), counted()]).toEqual([[], 0]);
    expect(log.lines.at(-1)).toEqual({ event: "browser.charge_failed", facts: { id: "b1", owed: 2, error: FULL } });
    books.isFull = false;
    await clock.pass(MINUTE);
    expect([minutes(), counted()]).toEqual([[1, 2, 3], 3]);
  });

  test("stops at the end, with what is owed and what no timer has seen", async () => {
    const { meter, clock, books, minutes, counted } = newMeter();
    books.isFull = true;
    await clock.pass(MINUTE);
    books.isFull = false;
    // As after a machine that has slept: the timer for the third minute is late.
    await meter.settle(new Date(clock.now().getTime() + 2 * MINUTE), "requested");
    expect([minutes(), counted(), books.ends]).toEqual([[1, 2, 3], 3, 1]);
    expect(clock.waiting).toBe(0);
  });

  test("tries the end again until the books take it, once", async () => {
    const { meter, clock, books, log, minutes } = newMeter();
    books.isFull = true;
    await meter.settle(clock.now(), "requested");
    expect(log.lines.at(-1)).toEqual({ event: "browser.settle_failed", facts: { id: "b1", error: FULL } });
    await clock.pass(4999);
    books.isFull = false;
    expect(books.ends).toBe(0);
    await clock.pass(1);
    expect([books.ends, minutes(), clock.waiting]).toEqual([1, [], 0]);
  });

  test("counts a minute once that is being charged when the end comes", async () => {
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
