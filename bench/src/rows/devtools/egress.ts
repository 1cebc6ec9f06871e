import type { Page } from "puppeteer";
import type { Row } from "../../bench.ts";
import { timeMs } from "../../measure/time.ts";
import { compare } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { ms, us } from "../../report/units.ts";
import { openBrowser } from "../../subjects/browsers/open-browser.ts";
import { RawBrowsers } from "../../subjects/browsers/raw-browser.ts";
import { BIG_BYTES, connectToPage, IMAGES, openSite } from "../../subjects/browsers/site.ts";
import { timeCallUs } from "./call.ts";

const HEADLESS = { Browser: 2, Headless: true } as const;
const MAX_PAGE_RATIO = 1.15;
const MIN_DOWNLOAD_RATIO = 0.9;
const MAX_NEIGHBOUR_RATIO = 3;
const DOWNLOADS = 5;

/** Page loads and downloads through the service's egress proxy. The raw browser connects directly to the site. */
export const egress: Row = {
  name: "egress",
  async measure(bench) {
    await using site = await openSite();
    await using server = await bench.newServer({ egress: "any" });
    const rawBrowsers = await RawBrowsers.prepare(bench.newFolder(), HEADLESS, true);
    await using started = await rawBrowsers.open();
    const address = await server.open(HEADLESS);
    await using ours = await connectToPage(address.href, { acceptInsecureCerts: true });
    await using direct = await connectToPage(started.endpoint, { acceptInsecureCerts: true });
    const many = new URL("/many", site.url).href;
    const raw = { unit: ms, baseline: "a raw browser without a proxy" };
    const loads = await compare(
      bench,
      { ...raw, name: `a page with ${IMAGES} images: goto → load`, atMost: MAX_PAGE_RATIO, of: "the raw browser" },
      { ours: () => timeMs(() => ours.page.goto(many)), base: () => timeMs(() => direct.page.goto(many)) },
    );
    const downloadFigure = async (scheme: "http" | "https"): Promise<Figure> => {
      await using big = await openSite(scheme);
      for (const { page } of [ours, direct]) await page.goto(big.url);
      const name = `a download of ${BIG_BYTES / 2 ** 20} MB over ${scheme.toUpperCase()}`;
      return await compare(
        bench,
        { ...raw, name, speed: "as fast", atLeast: MIN_DOWNLOAD_RATIO, of: "as fast" },
        { ours: () => timeDownload(ours.page), base: () => timeDownload(direct.page) },
        { rounds: DOWNLOADS },
      );
    };
    const downloads = [await downloadFigure("https"), await downloadFigure("http")];
    await server.close(address);
    return [loads, ...downloads];
  },
};

/** DevTools calls during another browser's download. The server's process runs all egress proxies and the gateway. */
export const neighbour: Row = {
  name: "neighbour",
  async measure(bench) {
    await using site = await openSite();
    await using server = await bench.newServer({ egress: "any" });
    await using quiet = await openBrowser(server, HEADLESS);
    const address = await server.open(HEADLESS);
    await using busy = await connectToPage(address.href);
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
    const figure = await compare(
      bench,
      {
        name: "a DevTools call while another browser downloads at full speed",
        ...{ unit: us, baseline: "without the download", atMost: MAX_NEIGHBOUR_RATIO, of: "without the download" },
      },
      { base: () => timeCallUs(quiet.client), ours: whileDownloading },
      { rounds: DOWNLOADS },
    );
    await server.close(address);
    return [figure];
  },
};

/** Downloads `/big` from a page on the site. @returns Duration in ms. @throws {Error} If the download is incomplete. */
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
