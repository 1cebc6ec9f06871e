import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserRig, openBrowserRig } from "../../../../test/support/browsers/browser-rig.ts";
import {
  type DevtoolsClient,
  attachToPage,
  openPage,
  pagesOf,
} from "../../../../test/support/browsers/devtools-client.ts";
import { NEVER, drive } from "../../../../test/support/browsers/real-host.ts";
import { until } from "../../../../test/support/until.ts";
import { readOpenOptions } from "../../../domain/browser/open-options.ts";
import type { HostedBrowser } from "../../../ports/browser-host.ts";
import type { Picture } from "../../../ports/display.ts";
import { HAS_VARIANTS } from "../../../../test/support/variants.ts";

const LOCAL = { Language: "de-DE", TimeZone: "Europe/Berlin" } as const;
const HEADLESS = ["headless", { Headless: true }] as const;
const SHELL = ["shell", { Browser: 3 }] as const;
const KINDS = [["graphical", { Headless: false }], HEADLESS, ...(HAS_VARIANTS ? [SHELL] : [])] as const;
const PAGE = "http://localhost/";
const SEE = `({
  size: [innerWidth, innerHeight, devicePixelRatio],
  locale: [navigator.language, navigator.languages[0], Intl.DateTimeFormat().resolvedOptions().timeZone],
})`;
const IN_WORKER = `new Promise((resolve) => {
  const script = "postMessage([navigator.language, navigator.languages[0], Intl.DateTimeFormat().resolvedOptions().timeZone])";
  new Worker(URL.createObjectURL(new Blob([script]))).onmessage = ({ data }) => resolve(data);
})`;
const LOCALE = ["de-DE", "de-DE", "Europe/Berlin"];
/** Colours above and below the middle of the page. */
const [TOP, BOTTOM] = [
  [200, 50, 100],
  [50, 100, 200],
] as const;
const GRADIENT = `linear-gradient(rgb(${TOP.join()}) 50%, rgb(${BOTTOM.join()}) 50%)`;
/** JPEG loses precision. */
const TOLERANCE = 9;

let rig: BrowserRig;
beforeAll(async () => {
  rig = await openBrowserRig("sandbox");
});
afterAll(async () => {
  await rig.expectNothingHeld();
  await rig[Symbol.asyncDispose]();
});

async function open(wire: object): Promise<HostedBrowser> {
  const options = readOpenOptions(wire);
  const browser = await rig.open(options);
  await resize(browser, wire);
  return browser;
}

async function resize(browser: HostedBrowser, wire: object): Promise<void> {
  const { page } = readOpenOptions(wire);
  if (page === undefined) return;
  try {
    await browser.resizePage(page, NEVER);
  } catch (error) {
    await browser[Symbol.asyncDispose]();
    throw error;
  }
}

/** Evaluates an expression in the browser's first page. */
async function inFirst(client: DevtoolsClient, expression: string): Promise<unknown> {
  const [first] = await pagesOf(client);
  return (await attachToPage(client, first?.targetId)).evaluate(expression);
}

describe.each(KINDS)("a %s browser", (_, kind) => {
  test("has the requested size, language, time zone and colours in pages, pop-ups, workers and pictures, and keeps them for its next client", async () => {
    const wire = { ...kind, ...LOCAL, Screen: { Width: 500, Height: 300, Scale: 2 } };
    await using browser = await open(wire);
    {
      await using client = await drive(browser);
      expect(await inFirst(client, SEE)).toEqual({ size: [500, 300, 2], locale: LOCALE });
      await inFirst(client, `document.documentElement.style.cssText = "height: 100%; background: ${GRADIENT}"`);
      const taken = await until(
        async () => toPixels(await browser.takeScreenshot(NEVER), client),
        ({ colours }) => isNear(colours[0], TOP) && isNear(colours[1], BOTTOM),
      );
      expect(taken.width).toBe(1000);
      // A graphical browser's picture also shows its window.
      expect(taken.height > 600).toBe(browser.screen !== undefined);
      expect(taken.height).toBeGreaterThanOrEqual(600);
      const before = rig.egress.languages.length;
      const page = await openPage(client, PAGE);
      expect(rig.egress.languages.at(before)).toMatch(/^de-DE/);
      expect(await page(IN_WORKER)).toEqual(LOCALE);
      const popup = `(() => { const opened = open("/pop-up", "", "width=600,height=400");
        return new Promise((done) => (opened.onload = () => done(opened.eval(${JSON.stringify(SEE)})))); })()`;
      expect(await page(popup)).toMatchObject({ size: [expect.any(Number), expect.any(Number), 2], locale: LOCALE });
    }
    await using next = await drive(browser);
    expect(await inFirst(next, SEE)).toMatchObject({
      size: [expect.any(Number), expect.any(Number), 2],
      locale: LOCALE,
    });
  });
});

test.each(HAS_VARIANTS ? KINDS : [HEADLESS])(
  "a %s browser has the requested size even if it was started in advance",
  async (_, kind) => {
    const wire = { ...kind, Screen: { Width: 390, Height: 844, Scale: 3 } };
    await using warm = await rig.open(readOpenOptions(wire));
    await using client = await drive(warm);
    expect(await inFirst(client, "innerWidth")).not.toBe(390);
    await resize(warm, wire);
    expect(await inFirst(client, SEE)).toMatchObject({ size: [390, 844, 3] });
  },
);

test("no bar covers part of a graphical browser's first page", async () => {
  await using browser = await open({ Headless: false });
  await using client = await drive(browser);
  // Chromium shows a bar about its switches only above the first page.
  const height = await (await openPage(client, PAGE))("innerHeight");
  // A page behind another one keeps the size it had while the window was still being laid out.
  const [first] = await pagesOf(client);
  await client.command("Target.activateTarget", { targetId: first?.targetId });
  await expect.poll(() => inFirst(client, "innerHeight")).toBe(height);
});

const SIZES: [number, number, number][] = [[412, 915, 2.625]];
if (HAS_VARIANTS) SIZES.push([400, 600, 1.25], [800, 600, 1.5], [1280, 720, 1.5]);

test.each(SIZES)("a headless browser's page can have %i × %i pixels at Scale %d", async (Width, Height, Scale) => {
  await using browser = await open({ Headless: true, Screen: { Width, Height, Scale } });
  await using client = await drive(browser);
  expect(await inFirst(client, "[innerWidth, innerHeight, devicePixelRatio]")).toEqual([Width, Height, Scale]);
});

test("an impossible size for a headless browser's page is refused with a suggestion", async () => {
  const Screen = { Width: 1920, Height: 1080, Scale: 1.5 };
  // Two heights are equally close. The suggested height depends on how fast the page follows its window.
  const message =
    /is 1920×1080 at Scale 1\.5, which a headless Chromium \(2\) can't show: choose 1920×10(79|81), or a Scale that is a whole number/;
  await expect(open({ Headless: true, Screen })).rejects.toMatchObject({
    failure: "BadRequest",
    message: expect.stringMatching(message),
    errors: [{ path: "/Screen", message: expect.stringMatching(message) }],
  });
  await rig.expectNothingHeld();
});

type Pixels = { readonly width: number; readonly height: number; readonly colours: readonly number[][] };

/**
 * Returns the colours just above and below the page's middle. The page ends at the bottom of the picture. The browser
 * decodes JPEGs.
 */
async function toPixels({ type, bytes }: Picture, client: DevtoolsClient): Promise<Pixels> {
  if (type === "image/png") {
    const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
    const at = (up: number): number[] => [...data.subarray(4 * (height - up) * width + 40).subarray(0, 3)];
    return { width, height, colours: [at(310), at(290)] };
  }
  const decode = `(async () => {
    const bytes = Uint8Array.from(atob("${Buffer.from(bytes).toString("base64")}"), (each) => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const at = (up) => [...context.getImageData(10, image.height - up, 1, 1).data].slice(0, 3);
    return { width: image.width, height: image.height, colours: [at(310), at(290)] };
  })()`;
  return (await inFirst(client, decode)) as Pixels;
}

function isNear(one: readonly number[] | undefined, other: readonly number[]): boolean {
  return other.every((value, index) => Math.abs(value - (one?.[index] ?? 0)) < TOLERANCE);
}
