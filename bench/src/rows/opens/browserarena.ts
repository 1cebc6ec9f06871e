import { chromium } from "playwright-core";
import type { Bench, Row } from "../../bench.ts";
import { interleave } from "../../measure/interleave.ts";
import { medianOf, quantileOf, ratios, spreadOf } from "../../measure/statistics.ts";
import type { Figure } from "../../report/figure.ts";
import { ms, times, toText } from "../../report/units.ts";
import { RawBrowsers } from "../../subjects/browsers/raw-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";
import { openSite } from "../../subjects/browsers/site.ts";

type Mode = { readonly atOnce: number; readonly rounds: number; readonly maxRatio: number };

const MODES: readonly Mode[] = [
  { atOnce: 1, rounds: 40, maxRatio: 0.6 },
  // By default, the service keeps fewer browsers warm, so most sessions start cold.
  { atOnce: 10, rounds: 6, maxRatio: 1 },
];
const WARM_UPS = 1;

/** The default options of Open, with which warm browsers are started. */
const DEFAULTS = {};

const STEPS = ["create", "connect", "goto", "release"] as const;

/** The duration of each step, in ms. */
type Session = Readonly<Record<(typeof STEPS)[number], number>>;

/** Creates a session's browser. */
type Create = () => Promise<{ readonly endpoint: string; readonly release: () => Promise<void> }>;

/** The steps of BrowserArena, a public comparison of hosted browsers, with the service's default settings. */
export const browserarena: Row = {
  name: "browserarena",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const mode of MODES) figures.push(...(await measureMode(bench, mode)));
    return figures;
  },
};

async function measureMode(bench: Bench, { atOnce, rounds, maxRatio }: Mode): Promise<Figure[]> {
  await using site = await openSite();
  const browsers = await RawBrowsers.prepare(bench.newFolder(), DEFAULTS);
  await using server = await bench.newServer({ warm: "auto", egress: "any" });
  await server.untilSettled();
  const all: Record<"raw" | "ours", Session[]> = { raw: [], ours: [] };
  const side = (which: keyof typeof all, timeAll: () => Promise<Session[]>) => async (): Promise<number> => {
    const sessions = await timeAll();
    all[which].push(...sessions);
    return medianOf(sessions.map(toTotal));
  };
  const medians = await interleave(
    {
      raw: side("raw", () => timeRaw(browsers, atOnce, site.url)),
      ours: side("ours", () => timeOurs(server, atOnce, site.url)),
    },
    { rounds, warmUps: WARM_UPS },
    bench.report,
  );
  const [raw, ours] = [summarize(all.raw.slice(WARM_UPS * atOnce)), summarize(all.ours.slice(WARM_UPS * atOnce))];
  const p50 = spreadOf(ratios(medians.ours, medians.raw));
  const figure = (
    name: string,
    shown: Readonly<Record<keyof typeof all, string>>,
    ratio: number,
    compared = times(ratio),
  ): Figure => ({
    name: `BrowserArena, ${atOnce} ${atOnce === 1 ? "session" : "sessions"} at a time: ${name}`,
    ours: shown.ours,
    baseline: `raw browsers ${shown.raw}`,
    compared,
    target: `≤ ${maxRatio} × the raw browsers`,
    isMet: ratio <= maxRatio,
  });
  return [
    figure("p50 of the total", { ours: ms(ours.p50), raw: ms(raw.p50) }, p50.median, toText(p50, times)),
    figure("p95 of the total", { ours: ms(ours.p95), raw: ms(raw.p95) }, ours.p95 / raw.p95),
    figure(STEPS.join(", "), { ours: ours.steps, raw: raw.steps }, ours.sum / raw.sum),
  ];
}

async function timeRaw(browsers: RawBrowsers, atOnce: number, url: string): Promise<Session[]> {
  await using acquired = new AsyncDisposableStack();
  const creates: Create[] = [];
  for (let index = 0; index < atOnce; index += 1) {
    const { start } = acquired.use(await browsers.prepareOne());
    creates.push(async () => {
      const browser = acquired.use(await start());
      return { endpoint: browser.endpoint, release: async () => browser[Symbol.asyncDispose]() };
    });
  }
  return await Promise.all(creates.map((create) => timeSession(create, url)));
}

async function timeOurs(server: Server, atOnce: number, url: string): Promise<Session[]> {
  const create: Create = async () => {
    const address = await server.open(DEFAULTS);
    return { endpoint: address.href, release: () => server.close(address) };
  };
  const sessions = await Promise.all(Array.from({ length: atOnce }, () => timeSession(create, url)));
  // No browser may start during the other side's measurement.
  await server.untilSettled();
  return sessions;
}

async function timeSession(create: Create, url: string): Promise<Session> {
  const startedMs = performance.now();
  const { endpoint, release } = await create();
  const createdMs = performance.now();
  const browser = await chromium.connectOverCDP(endpoint);
  const connectedMs = performance.now();
  const [context = await browser.newContext()] = browser.contexts();
  const [page = await context.newPage()] = context.pages();
  const answer = await page.goto(url, { waitUntil: "domcontentloaded" });
  const loadedMs = performance.now();
  if (answer?.ok() !== true) throw new Error(`${url} returned ${answer?.status() ?? "no response"}.`);
  await release();
  const releasedMs = performance.now();
  await browser.close();
  return {
    create: createdMs - startedMs,
    connect: connectedMs - createdMs,
    goto: loadedMs - connectedMs,
    release: releasedMs - loadedMs,
  };
}

function toTotal(session: Session): number {
  return STEPS.reduce((sum, step) => sum + session[step], 0);
}

function summarize(sessions: readonly Session[]) {
  const steps = STEPS.map((step) => medianOf(sessions.map((session) => session[step])));
  const totals = sessions.map(toTotal);
  return {
    p50: medianOf(totals),
    p95: quantileOf(totals, 0.95),
    sum: steps.reduce((sum, each) => sum + each, 0),
    steps: `${steps.map((step) => step.toFixed(0)).join(", ")} ms`,
  };
}
