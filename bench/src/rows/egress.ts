import puppeteer, { type Page } from "puppeteer";
import { ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "../report/figure.ts";
import { ms, times, toText, us } from "../report/units.ts";
import { openBrowser } from "../subjects/open-browser.ts";
import { RawBrowsers } from "../subjects/raw-browser.ts";
import { BIG_BYTES, IMAGES, openSite } from "../subjects/site.ts";
import { timeCallUs } from "./call.ts";

const HEADLESS = { Browser: 2, Headless: true } as const;
const MAX_PAGE_RATIO = 1.15;
const MIN_DOWNLOAD_RATIO = 0.9;
const MAX_NEIGHBOUR_RATIO = 3;
const DOWNLOADS = 5;

/** What browsers load goes through the service's egress proxy. The raw browser connects to the site itself. */
export const egress: Row = {
  name: "egress",
  async measure(bench) {
    await using site = await openSite();
    await using server = await bench.newServer({ egress: "any" });
    const prepared = await RawBrowsers.prepare(bench.newFolder(), HEADLESS);
    prepared.isDirect = true;
    await using raw = await prepared.open();
    const address = await server.open(HEADLESS);
    await using ours = await connect(address.href);
    await using direct = await connect(raw.endpoint);
    const many = new URL("/many", site.url).href;
    const loads = await interleave(
      { ours: () => timeLoad(ours.page, many), direct: () => timeLoad(direct.page, many) },
      ROUNDS,
      bench.report,
    );
    const downloadFigure = async (scheme: "http" | "https"): Promise<Figure> => {
      await using big = await openSite(scheme);
      for (const { page } of [ours, direct]) await page.goto(big.url);
      const measured = await interleave(
        { ours: () => timeDownload(ours.page), direct: () => timeDownload(direct.page) },
        { rounds: DOWNLOADS, warmUps: 1 },
        bench.report,
      );
      const rate = spreadOf(ratios(measured.direct, measured.ours));
      return {
        name: `a download of ${BIG_BYTES / 2 ** 20} MB by ${scheme.toUpperCase()}`,
        ours: ms(medianOf(measured.ours)),
        baseline: `a raw browser without a proxy ${ms(medianOf(measured.direct))}`,
        compared: `${toText(rate, times)} as fast`,
        target: `≥ ${MIN_DOWNLOAD_RATIO} × as fast`,
        isMet: rate.median >= MIN_DOWNLOAD_RATIO,
      };
    };
    const downloads = [await downloadFigure("https"), await downloadFigure("http")];
    await server.close(address);
    const slower = spreadOf(ratios(loads.ours, loads.direct));
    return [
      {
        name: `a page with ${IMAGES} images: goto → load`,
        ours: ms(medianOf(loads.ours)),
        baseline: `a raw browser without a proxy ${ms(medianOf(loads.direct))}`,
        compared: toText(slower, times),
        target: `≤ ${MAX_PAGE_RATIO} × the raw browser`,
        isMet: slower.median <= MAX_PAGE_RATIO,
      },
      ...downloads,
    ];
  },
};

/** The egress proxies of all browsers run in the server's process, like the gateway. */
export const neighbour: Row = {
  name: "neighbour",
  async measure(bench) {
    await using site = await openSite();
    await using server = await bench.newServer({ egress: "any" });
    await using quiet = await openBrowser(server, HEADLESS);
    const address = await server.open(HEADLESS);
    await using busy = await connect(address.href);
    await busy.page.goto(site.url);
    const whileDownloading = async (): Promise<number> => {
      const over = new AbortController();
      const downloading = (async () => {
        while (!over.signal.aborted) await timeDownload(busy.page);
      })();
      const measured = await timeCallUs(quiet.client);
      over.abort();
      await downloading;
      return measured;
    };
    const measured = await interleave(
      { idle: () => timeCallUs(quiet.client), busy: whileDownloading },
      { rounds: DOWNLOADS, warmUps: 1 },
      bench.report,
    );
    await server.close(address);
    const ratio = spreadOf(ratios(measured.busy, measured.idle));
    return [
      {
        name: "a DevTools call while another tenant downloads as fast as it can",
        ours: us(medianOf(measured.busy)),
        baseline: `without that ${us(medianOf(measured.idle))}`,
        compared: toText(ratio, times),
        target: `≤ ${MAX_NEIGHBOUR_RATIO} × without it`,
        isMet: ratio.median <= MAX_NEIGHBOUR_RATIO,
      },
    ];
  },
};

async function connect(endpoint: string): Promise<AsyncDisposable & { readonly page: Page }> {
  const browser = await puppeteer.connect({ browserWSEndpoint: endpoint, acceptInsecureCerts: true });
  const [page = await browser.newPage()] = await browser.pages();
  return { page, [Symbol.asyncDispose]: () => browser.disconnect() };
}

async function timeLoad(page: Page, url: string): Promise<number> {
  const startedMs = performance.now();
  await page.goto(url);
  return performance.now() - startedMs;
}

/** Reads the site's `/big` in a page of that site. */
async function timeDownload(page: Page): Promise<number> {
  const startedMs = performance.now();
  const bytes = await page.evaluate(async () => {
    const reader = (await fetch("/big")).body?.getReader();
    let read = 0;
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) read += part.value.length;
    return read;
  });
  if (bytes !== BIG_BYTES) throw new Error(`The download had ${bytes} bytes instead of ${BIG_BYTES}.`);
  return performance.now() - startedMs;
}
