import { ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import { ms, perSecond, times, toText } from "../report/units.ts";
import { RawBrowsers } from "../subjects/raw-browser.ts";
import { openAndAsk } from "../subjects/open-browser.ts";
import type { Server } from "../subjects/server.ts";

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
    const measured = await interleave(
      { raw: async () => Math.max(...(await raw.timeAtOnce(AT_ONCE))), opens: () => timeOpens(server) },
      { ...ROUNDS, rounds: 10 },
      bench.report,
    );
    const ratio = spreadOf(ratios(measured.opens, measured.raw));
    return [
      {
        name: `${AT_ONCE} concurrent Open requests, cold, ChromeHeadlessShell`,
        ours: ms(medianOf(measured.opens)),
        baseline: `${AT_ONCE} raw starts at once ${ms(medianOf(measured.raw))}`,
        compared: toText(ratio, times),
        target: `≤ ${MAX_RATIO.toFixed(2)} × the raw starts`,
        isMet: ratio.median <= MAX_RATIO,
      },
    ];
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
    const measured = await interleave(
      {
        raw: () =>
          measureLoop(AT_ONCE, async () => {
            await using browser = await raw.open();
            await browser.client.call("Browser.getVersion");
          }),
        opens: () => measureLoop(AT_ONCE, async () => server.close(await openAndAsk(server, SHELL))),
      },
      { ...ROUNDS, rounds: 7 },
      bench.report,
    );
    const ratio = spreadOf(ratios(measured.opens, measured.raw));
    return [
      {
        name: `open → close loop, ${AT_ONCE} at a time, ChromeHeadlessShell`,
        ours: perSecond(medianOf(measured.opens)),
        baseline: `raw loop ${perSecond(medianOf(measured.raw))}`,
        compared: toText(ratio, times),
        target: `≥ ${MIN_LOOP_RATIO} × the raw loop`,
        isMet: ratio.median >= MIN_LOOP_RATIO,
      },
    ];
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
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  return turns / ((performance.now() - startedMs) / 1000);
}
