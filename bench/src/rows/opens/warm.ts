import { type Bench, ROUNDS, type Row } from "../../bench.ts";
import { interleave } from "../../measure/interleave.ts";
import { toFigure } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { ms } from "../../report/units.ts";
import { RawBrowsers, type Work } from "../../subjects/browsers/raw-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";
import { loadPage, openSite } from "../../subjects/browsers/site.ts";

const MIN_FASTER = 12;
/** The second is 120 ms of the 589 that a raw start took with its steps. */
const MAX_PAGE_RATIOS = { new: 0.55, first: 0.2 };
const AT_ONCE = 8;
const MAX_AT_ONCE_RATIO = 0.3;

/** Open's default options: graphical, stealthy. */
const DEFAULTS = {};

/** The part of the measured time that uses one of the service's browsers. */
type ServiceWork = (server: Server, address: URL) => Promise<unknown>;

const askVersion: ServiceWork = async (server, address) => {
  using client = await server.connect(address);
  await client.call("Browser.getVersion");
};

type Wanted = {
  /** How many browsers are warm, and how many are opened at the same time. */
  readonly count: number;
  readonly rounds: number;
  readonly onServer: ServiceWork;
  readonly onRaw?: Work;
};

/** Opens warm browsers, and starts the same number of raw ones. Measures until the last browser has done its work. */
async function measureWarm(bench: Bench, wanted: Wanted): Promise<Record<"base" | "ours", number[]>> {
  const { count, rounds, onServer, onRaw } = wanted;
  const raw = await RawBrowsers.prepare(bench.newFolder(), DEFAULTS);
  await using server = await bench.newServer({ warm: count, egress: "any" });
  await server.untilWarm(count);
  const timeWarm = async (): Promise<number> => {
    const startedMs = performance.now();
    const addresses = await Promise.all(
      Array.from({ length: count }, async () => {
        const address = await server.open(DEFAULTS);
        await onServer(server, address);
        return address;
      }),
    );
    const tookMs = performance.now() - startedMs;
    await Promise.all(addresses.map((address) => server.close(address)));
    // Otherwise a browser could start while the other side is measured.
    await server.untilWarm(count);
    return tookMs;
  };
  const timeRaw = async (): Promise<number> => Math.max(...(await raw.timeAtOnce(count, onRaw)));
  return await interleave({ base: timeRaw, ours: timeWarm }, { ...ROUNDS, rounds }, bench.report);
}

export const warmOpen: Row = {
  name: "warm-open",
  async measure(bench) {
    const measured = await measureWarm(bench, { count: 1, rounds: 15, onServer: askVersion });
    return [
      toFigure(
        {
          name: "warm Open, default options: request → first answer",
          ...{ unit: ms, baseline: "raw start", speed: "faster", atLeast: MIN_FASTER, of: "faster than the raw start" },
        },
        measured,
      ),
    ];
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
      return toFigure(
        {
          name: `warm Open + connect (puppeteer) + ${tab} page + goto`,
          ...{ unit: ms, baseline: "raw start + connect + new page + goto" },
          ...{ atMost: MAX_PAGE_RATIOS[tab], of: "the raw start with its steps" },
        },
        measured,
      );
    };
    return [await measureTab("new"), await measureTab("first")];
  },
};

export const warmAtOnce: Row = {
  name: "warm-at-once",
  async measure(bench) {
    const measured = await measureWarm(bench, { count: AT_ONCE, rounds: 7, onServer: askVersion });
    return [
      toFigure(
        {
          name: `${AT_ONCE} concurrent Open requests with ${AT_ONCE} warm browsers, default options`,
          ...{
            unit: ms,
            baseline: `${AT_ONCE} raw starts at the same time`,
            atMost: MAX_AT_ONCE_RATIO,
            of: "the raw starts",
          },
        },
        measured,
      ),
    ];
  },
};
