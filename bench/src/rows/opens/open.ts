import { setTimeout as wait } from "node:timers/promises";
import type { Row } from "../../bench.ts";
import { compare } from "../../report/comparison.ts";
import { ms } from "../../report/units.ts";
import type { WireOptions } from "../../../../server/src/domain/browser/open-options.ts";
import { RawBrowsers } from "../../subjects/browsers/raw-browser.ts";
import { timeOpenMs } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";

/** Long enough for the server to finish preparing another sandbox before the raw start. */
const REST_MS = 700;

/** A cold Open, compared with starting the same browser by hand. */
function openRow(kind: string, title: string, options: WireOptions, maxRatio: number): Row {
  return {
    name: `open-${kind}`,
    async measure(bench) {
      const server = await bench.server("sandbox");
      const raw = await RawBrowsers.prepare(bench.newFolder(), options);
      const comparison = {
        name: `cold Open, ${title}: request → first DevTools response`,
        ...{ unit: ms, baseline: "raw start", atMost: maxRatio, of: "the raw start" },
      };
      const sides = { base: () => raw.time(), ours: () => timeOpen(server, options) };
      return [await compare(bench, comparison, sides, { rounds: 15 })];
    },
  };
}

/** Opens and closes a browser, then waits. @returns Milliseconds from the request to the first DevTools response. */
export async function timeOpen(server: Server, options: WireOptions): Promise<number> {
  const tookMs = await timeOpenMs(server, options);
  await wait(REST_MS);
  return tookMs;
}

export const openRows: readonly Row[] = [
  openRow("headless", "headless Chromium", { Browser: 2, Headless: true }, 0.8),
  openRow("shell", "ChromeHeadlessShell", { Browser: 3 }, 1.05),
  openRow("graphical", "graphical Chromium", { Browser: 2 }, 0.85),
];
