import type { Row } from "../../bench.ts";
import { timeMs } from "../../measure/time.ts";
import { compare } from "../../report/comparison.ts";
import { ms, perSecond } from "../../report/units.ts";
import { RawBrowsers } from "../../subjects/browsers/raw-browser.ts";
import { openAndAsk } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";

const AT_ONCE = 8;
const SHELL = { Browser: 3 } as const;
const MAX_RATIO = 0.8;

/** Browsers that each round of the loop opens and closes, for each that is open at the same time. */
const TURNS = 5;
const MIN_LOOP_RATIO = 1.15;

/** Simultaneous Opens, until the last browser has answered. */
export const opensAtOnce: Row = {
  name: "opens-at-once",
  async measure(bench) {
    const server = await bench.server("sandbox");
    const raw = await RawBrowsers.prepare(bench.newFolder(), SHELL);
    const comparison = {
      name: `${AT_ONCE} concurrent Open requests, cold, ChromeHeadlessShell`,
      ...{ unit: ms, baseline: `${AT_ONCE} raw starts at the same time`, atMost: MAX_RATIO, of: "the raw starts" },
    };
    const sides = { base: async () => Math.max(...(await raw.timeAtOnce(AT_ONCE))), ours: () => timeOpens(server) };
    return [await compare(bench, comparison, sides, { rounds: 10 })];
  },
};

async function timeOpens(server: Server): Promise<number> {
  const startedMs = performance.now();
  const addresses = await Promise.all(Array.from({ length: AT_ONCE }, () => openAndAsk(server, SHELL)));
  const tookMs = performance.now() - startedMs;
  await Promise.all(addresses.map((address) => server.close(address)));
  return tookMs;
}

/** Opens and closes browsers, 8 at a time. Both sides wait until a browser is gone. */
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

/** @returns Turns per second. */
export async function measureLoop(atOnce: number, turn: () => Promise<unknown>): Promise<number> {
  const turns = TURNS * atOnce;
  let left = turns;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await turn();
    }
  };
  return turns / ((await timeMs(() => Promise.all(Array.from({ length: atOnce }, work)))) / 1000);
}
