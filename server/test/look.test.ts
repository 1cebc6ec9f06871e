import puppeteer, { type Browser, type Page } from "puppeteer";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Site, openSite } from "./support/local-site.ts";
import { type RealServer, startServer } from "./support/real-server.ts";

const GRAPHICAL = { Headless: false };
const HEADLESS = { Headless: true };
const SHELL = { Browser: 3 };
const KINDS = { graphical: GRAPHICAL, headless: HEADLESS, shell: SHELL };

/** Two colours whose channels all differ: the upper half and the lower half of the page. */
const UPPER = [200, 100, 50];
const LOWER = [10, 60, 220];
const FLAG = `<!doctype html><title>flag</title><body style="margin:0;background:rgb(${LOWER.join()})">
  <div style="height:50vh;background:rgb(${UPPER.join()})"></div>`;

let server: RealServer;
let site: Site;

beforeAll(async () => {
  site = await openSite({ html: FLAG });
  const warm = [
    { ...GRAPHICAL, Count: 1 },
    { ...HEADLESS, Language: "de-AT", TimeZone: "Asia/Tokyo", Count: 1 },
  ];
  server = await startServer({ settings: { RBS_WARM: JSON.stringify(warm), RBS_EGRESS: "any" } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test.each(Object.entries(KINDS))("language and time zone hold everywhere in a browser: %s", async (_, kind) => {
  const address = await server.open({ ...kind, Language: "de-AT", TimeZone: "Asia/Tokyo" });
  const expected = {
    language: "de-AT",
    languages: expect.arrayContaining(["de-AT"]) as unknown,
    locale: expect.stringMatching(/^de/) as unknown,
    timeZone: "Asia/Tokyo",
  };
  await withBrowser(address, async (browser) => {
    const page = await goTo(browser, site);
    expect(site.languages.at(-1)).toMatch(/^de-AT/);
    expect(await seeLocale(page)).toEqual(expected);
    expect(await seeLocaleOfWorker(page)).toEqual(expected);
    const [popUp] = await Promise.all([nextPage(browser), page.evaluate('void open("about:blank")')]);
    expect(await seeLocale(popUp)).toEqual(expected);
  });
  await withBrowser(address, async (browser) => {
    expect(await seeLocale(await goTo(browser, site))).toEqual(expected);
  });
  await server.close(address);
});

/** Pictures with losses differ a little. */
const near = (colour: readonly number[]): unknown => colour.map((value) => expect.closeTo(value, -0.5) as unknown);

/** Sizes and scales, and which kinds of browsers can have them. */
const SCREENS: readonly (readonly [width: number, height: number, scale: number])[] = [
  [800, 600, 1],
  [390, 844, 3],
  [1280, 720, 1.5],
  [2000, 1300, 1],
];
const CASES = Object.entries(KINDS).flatMap(([name, kind]) =>
  SCREENS.map((screen) => [name, kind, ...screen] as const),
);

test.each(CASES)("the first page of a %s has its size: %o %i × %i at %f", async (_, kind, Width, Height, Scale) => {
  const address = await server.open({ ...kind, Screen: { Width, Height, Scale } });
  const size = { width: Width, height: Height, scale: Scale };
  await withBrowser(address, async (browser) => {
    const [page] = await browser.pages();
    expect(await seeSize(page)).toEqual(size);
  });
  await withBrowser(address, async (browser) => {
    const [page] = await browser.pages();
    expect(await seeSize(page)).toEqual(size);
    await page?.goto(site.url);
    // A screen shows the browser's frame above the page, and the page a moment after it has loaded.
    const whole = kind === GRAPHICAL ? {} : { width: Width * Scale, height: Height * Scale };
    const expected = { ...whole, upper: near(UPPER), lower: near(LOWER) };
    await vi.waitFor(async () => {
      const { status, body } = await server.post("Screenshot", { address });
      expect(status).toBe(200);
      expect(await readPicture(page, body)).toMatchObject(expected);
    }, 5000);
  });
  await server.close(address);
});

test("a size that this kind of browser can't have is refused, and nothing stays open", async () => {
  const Screen = { Width: 412, Height: 915, Scale: 2.625 };
  const { status, body } = await server.post("Open", { ...HEADLESS, Screen });
  expect([status, body]).toMatchObject([
    400,
    { name: "BadRequest", errors: [{ path: "/Screen", message: expect.stringContaining("414×917") as unknown }] },
  ]);
  expect(await server.addresses()).toEqual([]);
});

async function withBrowser(address: string, work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await puppeteer.connect({ browserWSEndpoint: address, defaultViewport: null });
  try {
    await work(browser);
  } finally {
    await browser.disconnect();
  }
}

async function goTo(browser: Browser, { url }: Site): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

async function nextPage(browser: Browser): Promise<Page> {
  const target = await new Promise<{ page(): Promise<Page | null> }>((resolve) =>
    browser.once("targetcreated", resolve),
  );
  const page = await target.page();
  if (page === null) throw new Error("The target is not a page.");
  return page;
}

const LOCALE = `({ language: navigator.language, languages: [...navigator.languages],
  locale: Intl.DateTimeFormat().resolvedOptions().locale, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })`;

const seeLocale = (page: Page): Promise<unknown> => page.evaluate(LOCALE);

const seeLocaleOfWorker = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const script = ${JSON.stringify(`postMessage(${LOCALE})`)};
    new Worker(URL.createObjectURL(new Blob([script]))).onmessage = ({ data }) => resolve(data);
  })`);

const seeSize = (page: Page | undefined): Promise<unknown> | undefined =>
  page?.evaluate("({ width: innerWidth, height: innerHeight, scale: devicePixelRatio })");

/** Decodes a picture. @returns Its size, and the colours of its upper half and near its lower edge. */
const readPicture = (page: Page | undefined, { type, image }: Record<string, unknown>): Promise<unknown> | undefined =>
  page?.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(image)}), (character) => character.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: ${JSON.stringify(type)} }));
    const { width, height } = picture;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(picture, 0, 0);
    const at = (y) => [...context.getImageData(width >> 1, y, 1, 1).data].slice(0, 3);
    return { width, height, upper: at(height * 0.4), lower: at(height - 8) };
  })()`);
