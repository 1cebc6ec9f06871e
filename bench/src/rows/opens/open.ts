import { setTimeout as wait } from "node:timers/promises";
import type { Row } from "../../bench.ts";
import { compare } from "../../report/comparison.ts";
import { ms } from "../../report/units.ts";
import type { WireOptions } from "../../../../server/src/domain/browser/open-options.ts";
import { RawBrowsers } from "../../subjects/browsers/raw-browser.ts";
import { timeOpenMs } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";

type Kind = { readonly name: string; readonly title: string; readonly options: WireOptions; readonly maxRatio: number };

/** Longer than the server waits before it prepares another sandbox: it must not do that during the raw start. */
const REST_MS = 700;

/** A cold Open, compared with starting the same browser by hand. */
function openRow({ name, title, options, maxRatio }: Kind): Row {
  return {
    name,
    async measure(bench) {
      const server = await bench.server("sandbox");
      const raw = await RawBrowsers.prepare(bench.newFolder(), options);
      const comparison = {
        name: `cold Open, ${title}: request → first answer`,
        ...{ unit: ms, baseline: "raw start", atMost: maxRatio, of: "the raw start" },
      };
      const sides = { base: () => raw.time(), ours: () => timeOpen(server, options) };
      return [await compare(bench, comparison, sides, { rounds: 15 })];
    },
  };
}

/** Opens a browser, closes it, and rests. @returns Milliseconds from the request until the browser's first answer. */
export async function timeOpen(server: Server, options: WireOptions): Promise<number> {
  const tookMs = await timeOpenMs(server, options);
  await wait(REST_MS);
  return tookMs;
}

export const openRows: readonly Row[] = [
  {
    name: "open-headless",
    title: "headless Chromium",
    options: { Browser: 2, Headless: true },
    maxRatio: 0.8,
  } as const,
  { name: "open-shell", title: "ChromeHeadlessShell", options: { Browser: 3 }, maxRatio: 1.05 } as const,
  { name: "open-graphical", title: "graphical Chromium", options: { Browser: 2 }, maxRatio: 0.85 } as const,
].map(openRow);
