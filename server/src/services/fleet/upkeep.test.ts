import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import type { OwnRow } from "../../ports/fleet-store.ts";
import { StoreUnavailable } from "../../ports/store.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";
import { Upkeep } from "./upkeep.ts";

const COMPARE_MS = 60_000;
const OPEN_TIMEOUT_MS = 55_000;

/** A worker with rows and browsers, which it compares. */
function newRig() {
  const [clock, log] = [new FakeClock(), new RecordingLog()];
  const rows = new Map<string, OwnRow>();
  const browsers = new Map<string, OpenBrowser>();
  const [done, wanted]: [string[], string[]] = [[], []];
  const away = { isAway: false };
  const answer = async <T>(result: T): Promise<T> => {
    if (away.isAway) throw new StoreUnavailable("It is away.");
    return result;
  };
  const upkeep = new Upkeep({
    residents: { all: () => browsers.values(), findById: (id) => browsers.get(id) },
    store: {
      findWantedClosed: () => answer(wanted),
      listOwn: () => answer([...rows.values()]),
      giveUp: async (id, attempt) => void done.push(`${id} ${attempt} given up`),
    },
    browsers: { close: async (id, { reason }) => done.push(`${id} ${reason}`) },
    clock,
    log,
    openTimeoutMs: OPEN_TIMEOUT_MS,
  });
  upkeep.start();
  return {
    ...{ clock, log, rows, away, wanted, done, upkeep },
    addRow: (id: string, isOpen: boolean, attempt = 1) => void rows.set(id, { id, isOpen, attempt }),
    addBrowser(id: string): void {
      const close = async (reason: string): Promise<void> => void done.push(`${id} closed: ${reason}`);
      browsers.set(id, { id, end: undefined, close } as unknown as OpenBrowser);
    },
  };
}

test("rows without browsers and browsers without rows end when two comparisons find them, and the others stay", async () => {
  const { clock, addRow, addBrowser, done, log } = newRig();
  for (const id of ["both", "row"]) addRow(id, true);
  for (const id of ["both", "browser"]) addBrowser(id);
  await clock.pass(COMPARE_MS);
  expect(done).toEqual([]);
  // They open between the reads of the second comparison.
  addRow("late row", true);
  addBrowser("late browser");
  await clock.pass(COMPARE_MS);
  expect(done.toSorted()).toEqual(["browser closed: shutdown", "row lost"]);
  expect(log.lines.map(({ event }) => event)).toEqual(["browser.without_row", "browser.without_process"]);
});

test("an abandoned attempt is given up by this process's own clock, and a newer one isn't", async () => {
  const { clock, addRow, rows, done } = newRig();
  addRow("abandoned", false);
  addRow("moved", false);
  addRow("opened", false);
  await clock.pass(COMPARE_MS);
  // The time of day isn't what counts: the front-end that made the row may have another one.
  clock.set(24 * 3_600_000);
  addRow("moved", false, 3);
  rows.delete("opened");
  await clock.pass(COMPARE_MS);
  expect(done).toEqual([]);
  await clock.pass(COMPARE_MS);
  expect(done).toEqual(["abandoned 1 given up"]);
});

test("browsers that are wanted closed are closed, and the rows are compared soon after the store was away", async () => {
  const { clock, addRow, addBrowser, away, wanted, done, log, upkeep } = newRig();
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
  upkeep[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});
