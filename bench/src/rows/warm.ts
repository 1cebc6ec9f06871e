import { type Bench, ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import type { Figure } from "../report/figure.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import { ms, times, toText } from "../report/units.ts";
import { RawBrowsers, type Work } from "../subjects/raw-browser.ts";
import type { Server } from "../subjects/server.ts";
import { loadPage, openSite } from "../subjects/site.ts";

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
async function measureWarm(bench: Bench, wanted: Wanted): Promise<Record<"raw" | "warm", number[]>> {
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
  return await interleave({ raw: timeRaw, warm: timeWarm }, { ...ROUNDS, rounds }, bench.report);
}

export const warmOpen: Row = {
  name: "warm-open",
  async measure(bench) {
    const measured = await measureWarm(bench, { count: 1, rounds: 15, onServer: askVersion });
    const faster = spreadOf(ratios(measured.raw, measured.warm));
    return [
      {
        name: "warm Open, default options: request → first answer",
        ours: ms(medianOf(measured.warm)),
        baseline: `raw start ${ms(medianOf(measured.raw))}`,
        compared: `${toText(faster, times)} faster`,
        target: `≥ ${MIN_FASTER} × faster than the raw start`,
        isMet: faster.median >= MIN_FASTER,
      },
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
      const [ratio, most] = [spreadOf(ratios(measured.warm, measured.raw)), MAX_PAGE_RATIOS[tab]];
      return {
        name: `warm Open + connect (puppeteer) + ${tab} page + goto`,
        ours: ms(medianOf(measured.warm)),
        baseline: `raw start + connect + new page + goto ${ms(medianOf(measured.raw))}`,
        compared: toText(ratio, times),
        target: `≤ ${most} × the raw start with its steps`,
        isMet: ratio.median <= most,
      };
    };
    return [await measureTab("new"), await measureTab("first")];
  },
};

export const warmAtOnce: Row = {
  name: "warm-at-once",
  async measure(bench) {
    const measured = await measureWarm(bench, { count: AT_ONCE, rounds: 7, onServer: askVersion });
    const ratio = spreadOf(ratios(measured.warm, measured.raw));
    return [
      {
        name: `${AT_ONCE} concurrent Open requests with ${AT_ONCE} warm browsers, default options`,
        ours: ms(medianOf(measured.warm)),
        baseline: `${AT_ONCE} raw starts at once ${ms(medianOf(measured.raw))}`,
        compared: toText(ratio, times),
        target: `≤ ${MAX_AT_ONCE_RATIO} × the raw starts`,
        isMet: ratio.median <= MAX_AT_ONCE_RATIO,
      },
    ];
  },
};
