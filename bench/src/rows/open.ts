import { setTimeout as wait } from "node:timers/promises";
import { ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import { ms, times, toText } from "../report/units.ts";
import type { WireOptions } from "../../../server/src/domain/browser/open-options.ts";
import { RawBrowsers } from "../subjects/raw-browser.ts";
import { openAndAsk } from "../subjects/open-browser.ts";
import type { Server } from "../subjects/server.ts";

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
      const measured = await interleave(
        { raw: () => raw.time(), open: () => timeOpen(server, options) },
        { ...ROUNDS, rounds: 15 },
        bench.report,
      );
      const ratio = spreadOf(ratios(measured.open, measured.raw));
      return [
        {
          name: `cold Open, ${title}: request → first answer`,
          ours: ms(medianOf(measured.open)),
          baseline: `raw start ${ms(medianOf(measured.raw))}`,
          compared: toText(ratio, times),
          target: `≤ ${maxRatio.toFixed(2)} × the raw start`,
          isMet: ratio.median <= maxRatio,
        },
      ];
    },
  };
}

/** Opens a browser and closes it. @returns Milliseconds from the request until the browser's first answer. */
export async function timeOpen(server: Server, options: WireOptions): Promise<number> {
  const startedMs = performance.now();
  const address = await openAndAsk(server, options);
  const tookMs = performance.now() - startedMs;
  await server.close(address);
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
