import type { Bench, Row } from "../../bench.ts";
import { ROUNDS, interleave } from "../../measure/interleave.ts";
import { type Comparison, toFigure } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { ms } from "../../report/units.ts";
import { type ServiceWork, timeOpens } from "../../subjects/browsers/open-browser.ts";
import { RawBrowsers, type Work } from "../../subjects/browsers/raw-browser.ts";
import { loadPage, openSite } from "../../subjects/browsers/site.ts";

const MIN_FASTER = 12;
/** The ratio 0.2 was chosen when the baseline took 589 ms, so it allowed about 120 ms. */
const MAX_PAGE_RATIOS = { new: 0.55, first: 0.2 };
const AT_ONCE = 8;
const MAX_AT_ONCE_RATIO = 0.3;

/** Open's default options: a graphical browser in stealth mode. */
const DEFAULTS = {};

type Wanted = {
  /** Number of warm browsers, which are all opened at the same time. */
  readonly count: number;
  readonly rounds: number;
  readonly onServer?: ServiceWork;
  readonly onRaw?: Work;
};

/** Opens warm browsers and starts raw browsers in equal numbers. Measures the last browser's work is done. */
async function measureWarm(bench: Bench, wanted: Wanted): Promise<Record<"base" | "ours", number[]>> {
  const { count, rounds, onServer, onRaw } = wanted;
  const raw = await RawBrowsers.prepare(bench.newFolder(), DEFAULTS);
  await using server = await bench.newServer({ warm: count, egress: "any" });
  await server.untilWarm(count);
  const timeWarm = async (): Promise<number> => {
    const tookMs = await timeOpens(server, count, DEFAULTS, onServer);
    // No browser may start during the other side's measurement.
    await server.untilWarm(count);
    return tookMs;
  };
  const timeRaw = async (): Promise<number> => Math.max(...(await raw.timeAtOnce(count, onRaw)));
  return await interleave({ base: timeRaw, ours: timeWarm }, { ...ROUNDS, rounds }, bench.report);
}

export const warmOpen: Row = {
  name: "warm-open",
  async measure(bench) {
    const comparison: Comparison = {
      name: "warm Open, default options: request → first DevTools response",
      ...{ unit: ms, baseline: "raw start", speed: "faster", atLeast: MIN_FASTER, of: "faster than the raw start" },
    };
    return [toFigure(comparison, await measureWarm(bench, { count: 1, rounds: 15 }))];
  },
};

export const warmPage: Row = {
  name: "warm-page",
  async measure(bench) {
    await using site = await openSite();
    const measureTab = async (tab: "new" | "first"): Promise<Figure> => {
      const measured = await measureWarm(bench, {
        count: 1,
        rounds: ROUNDS.rounds,
        onServer: (_server, address) => loadPage(address.href, site.url, tab),
        onRaw: ({ endpoint }) => loadPage(endpoint, site.url, "new"),
      });
      const comparison = {
        name: `warm Open + connect (Puppeteer) + ${tab} page + goto`,
        ...{ unit: ms, baseline: "raw start + connect + new page + goto" },
        ...{ atMost: MAX_PAGE_RATIOS[tab], of: "a raw start with the same steps" },
      };
      return toFigure(comparison, measured);
    };
    return [await measureTab("new"), await measureTab("first")];
  },
};

export const warmAtOnce: Row = {
  name: "warm-at-once",
  async measure(bench) {
    const comparison = {
      name: `${AT_ONCE} concurrent Open requests with ${AT_ONCE} warm browsers, default options`,
      ...{ unit: ms, baseline: `${AT_ONCE} concurrent raw starts`, atMost: MAX_AT_ONCE_RATIO, of: "the raw starts" },
    };
    return [toFigure(comparison, await measureWarm(bench, { count: AT_ONCE, rounds: 7 }))];
  },
};
