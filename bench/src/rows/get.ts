import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { operations } from "@remote-browser/contract/operations";
import { ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import { perSecond, times, toText } from "../report/units.ts";
import { measureRate, startBareRoute } from "../subjects/load.ts";
import { openBrowser } from "../subjects/open-browser.ts";

const BROWSERS = 5;
const LOADS = { get: { requests: 8000 }, bare: { requests: 16_000 } };
const MIN_RATIO = 0.35;

/** Get with a token and five browsers, compared with a bare Hono route that returns the same bytes. */
export const get: Row = {
  name: "get",
  async measure(bench) {
    const folder = bench.newFolder();
    await mkdir(folder);
    const log = join(folder, "log");
    await using bare = await startBareRoute(bench.newFolder());
    const server = await bench.server("sandbox");
    await using browsers = new AsyncDisposableStack();
    for (let index = 0; index < BROWSERS; index += 1) browsers.use(await openBrowser(server, { Browser: 3 }));
    const url = new URL(operations.getBrowsers.path, server.url);
    const headers = [`Authorization=Bearer ${server.token}`];
    const rates = await interleave(
      {
        bare: () => measureRate(bare.url, LOADS.bare, [], log),
        get: () => measureRate(url, LOADS.get, headers, log),
      },
      ROUNDS,
      bench.report,
    );
    const ratio = spreadOf(ratios(rates.get, rates.bare));
    return [
      {
        name: `Get, authenticated, ${BROWSERS} browsers open, 50 connections`,
        ours: perSecond(medianOf(rates.get)),
        baseline: `a bare Hono route ${perSecond(medianOf(rates.bare))}`,
        compared: toText(ratio, times),
        target: `≥ ${MIN_RATIO} × the bare route`,
        isMet: ratio.median >= MIN_RATIO,
      },
    ];
  },
};
