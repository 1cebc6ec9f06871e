import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";
import { Reconciler } from "./reconciler.ts";

const COMPARE_MS = 60_000;
const LOOK_MS = 2000;

/** A worker that compares its browsers with the rows in the database. */
function newRig() {
  const [clock, log] = [new FakeClock(), new RecordingLog()];
  const rows = new Map<string, { readonly id: string; readonly isOpen: boolean; readonly attempt: number }>();
  const opening = new Set<string>();
  const browsers = new Map<string, OpenBrowser>();
  const [done, wanted]: [string[], string[]] = [[], []];
  const away = { isAway: false };
  const answer = async <T>(result: T): Promise<T> => {
    if (away.isAway) throw new StoreUnavailable("It is away.");
    return result;
  };
  const reconciler = new Reconciler({
    localBrowsers: { all: () => browsers.values(), findById: (id) => browsers.get(id) },
    store: {
      findWantedClosed: () => answer(wanted),
      listAttempts: () => answer([...rows.values()].filter(({ isOpen }) => !isOpen)),
      listOwn: () => answer([...rows.values()]),
      giveUp: async (id, attempt) => void done.push(`${id} ${attempt} given up`),
    },
    browsers: { close: async (id, { reason }) => done.push(`${id} ${reason}`) },
    isOpening: (id) => opening.has(id),
    clock,
    log,
  });
  reconciler.start();
  return {
    ...{ clock, log, rows, opening, away, wanted, done, reconciler },
    addRow: (id: string, isOpen: boolean, attempt = 1) => void rows.set(id, { id, isOpen, attempt }),
    addBrowser(id: string): void {
      const close = async (reason: string): Promise<void> => void done.push(`${id} closed: ${reason}`);
      browsers.set(id, { id, end: undefined, close } as unknown as OpenBrowser);
    },
  };
}

test("rows without browsers and browsers without rows end after two comparisons, and the rest remain", async () => {
  const { clock, addRow, addBrowser, done, log } = newRig();
  for (const id of ["both", "row"]) addRow(id, true);
  for (const id of ["both", "browser"]) addBrowser(id);
  await clock.pass(COMPARE_MS);
  expect(done).toEqual([]);
  // This browser opens between the two reads of the second comparison.
  addRow("late row", true);
  addBrowser("late browser");
  await clock.pass(COMPARE_MS);
  expect(done.toSorted()).toEqual(["browser closed: shutdown", "row lost"]);
  expect(log.lines.map(({ event }) => event)).toEqual(["browser.without_row", "browser.without_process"]);
});

test("after ten seconds, an attempt that no front-end asks for is abandoned, but not newer attempts or attempts in progress", async () => {
  const { clock, addRow, addBrowser, rows, opening, away, done } = newRig();
  for (const id of ["abandoned", "moved", "asked", "opened", "deleted"]) addRow(id, false);
  opening.add("asked");
  await clock.pass(4 * LOOK_MS);
  // Clock changes and time without the store don't count.
  clock.set(24 * 3_600_000);
  away.isAway = true;
  await clock.pass(60 * LOOK_MS);
  away.isAway = false;
  addRow("moved", false, 3);
  addBrowser("opened");
  rows.delete("deleted");
  await clock.pass(LOOK_MS);
  expect(done).toEqual([]);
  await clock.pass(LOOK_MS);
  expect(done).toEqual(["abandoned 1 given up"]);
  rows.delete("abandoned");
  await clock.pass(4 * LOOK_MS);
  expect(done).toEqual(["abandoned 1 given up", "moved 3 given up"]);
});

test("a store failure restarts a row's two comparisons, because the browser's end may not have been written", async () => {
  const { clock, addRow, rows, away, done } = newRig();
  addRow("ended", true);
  await clock.pass(COMPARE_MS);
  away.isAway = true;
  await clock.pass(LOOK_MS);
  away.isAway = false;
  await clock.pass(LOOK_MS);
  rows.delete("ended");
  await clock.pass(COMPARE_MS);
  expect(done).toEqual([]);
});

test("browsers are closed on request, and rows are compared soon after a store failure", async () => {
  const { clock, addRow, addBrowser, away, wanted, done, log, reconciler } = newRig();
  addBrowser("one");
  addRow("one", true);
  addRow("row", true);
  wanted.push("one", "unknown");
  await clock.pass(2000);
  expect(done).toEqual(["one closed: requested"]);
  wanted.length = 0;
  away.isAway = true;
  await clock.pass(2000);
  expect(log.lines).toMatchObject([{ event: "upkeep.failed" }]);
  away.isAway = false;
  await clock.pass(2000 + COMPARE_MS);
  expect(done).toEqual(["one closed: requested", "row lost"]);
  reconciler[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});
