import type { Row } from "../../bench.ts";
import { repeat, timeMs } from "../../measure/time.ts";
import { compare } from "../../report/comparison.ts";
import { ms, perSecond } from "../../report/units.ts";
import { RawBrowsers } from "../../subjects/browsers/raw-browser.ts";
import { openAndAsk, timeOpens } from "../../subjects/browsers/open-browser.ts";

const AT_ONCE = 8;
const SHELL = { Browser: 3 } as const;
const MAX_RATIO = 0.8;

/** Number of browsers per round, as a multiple of the loop's concurrency. */
const TURNS = 5;
const MIN_LOOP_RATIO = 1.15;

/** Concurrent Open requests, timed until the last browser has sent its first DevTools response. */
export const opensAtOnce: Row = {
  name: "opens-at-once",
  async measure(bench) {
    const server = await bench.server("sandbox");
    const raw = await RawBrowsers.prepare(bench.newFolder(), SHELL);
    const comparison = {
      name: `${AT_ONCE} concurrent Open requests, cold, ChromeHeadlessShell`,
      ...{ unit: ms, baseline: `${AT_ONCE} concurrent raw starts`, atMost: MAX_RATIO, of: "the raw starts" },
    };
    const sides = {
      base: async () => Math.max(...(await raw.timeAtOnce(AT_ONCE))),
      ours: () => timeOpens(server, AT_ONCE, SHELL),
    };
    return [await compare(bench, comparison, sides, { rounds: 10 })];
  },
};

/** Opens and closes browsers, 8 at a time. Closing waits until the browser's processes have exited. */
export const openCloseLoop: Row = {
  name: "open-close-loop",
  async measure(bench) {
    const server = await bench.server("sandbox");
    const raw = await RawBrowsers.prepare(bench.newFolder(), SHELL);
    const comparison = {
      name: `open → close loop, ${AT_ONCE} at a time, ChromeHeadlessShell`,
      ...{ unit: perSecond, baseline: "raw loop", atLeast: MIN_LOOP_RATIO, of: "the raw loop" },
    };
    const sides = {
      base: () =>
        measureLoop(AT_ONCE, async () => {
          await using browser = await raw.open();
          await browser.client.call("Browser.getVersion");
        }),
      ours: () => measureLoop(AT_ONCE, async () => server.close(await openAndAsk(server, SHELL))),
    };
    return [await compare(bench, comparison, sides, { rounds: 7 })];
  },
};

/** @returns Open and Close cycles per second. */
export async function measureLoop(atOnce: number, turn: () => Promise<unknown>): Promise<number> {
  const turns = TURNS * atOnce;
  return turns / ((await timeMs(() => repeat(turns, atOnce, turn))) / 1000);
}
