import { PNG } from "pngjs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { HostedBrowser } from "../../src/ports/browser-host.ts";
import type { Thumbnail } from "../../src/ports/display.ts";
import { type BrowserRig, openBrowserRig } from "../support/browsers/browser-rig.ts";
import { type DevtoolsClient, type Evaluate, openPage, pagesOf } from "../support/browsers/devtools-client.ts";
import { NEVER, drive } from "../support/browsers/real-host.ts";
import { DETECT_CAPTURE } from "../support/browsers/detect-capture.ts";
import { until } from "../support/until.ts";
import { HAS_VARIANTS, variant } from "../support/variants.ts";

const KINDS = [
  { name: "Chromium, graphical", spec: { kind: "chromium", isHeadless: false, isStealthy: true } },
  { name: "Chromium, headless", spec: { kind: "chromium", isHeadless: true, isStealthy: true } },
  { name: "ChromeHeadlessShell", spec: { kind: "chrome-headless-shell", isHeadless: true, isStealthy: true } },
] as const;

const PAGE = "http://localhost/";
const [BLUE, RED, GREEN] = [
  [50, 100, 200],
  [200, 50, 100],
  [50, 200, 100],
] as const;

/** The allowed difference between colours: JPEG and 16-bit colours lose precision. */
const TOLERANCE = 9;

let rig: BrowserRig;
let browser: HostedBrowser;
let client: DevtoolsClient;

beforeAll(async () => {
  rig = await openBrowserRig("sandbox");
});
afterAll(async () => {
  await rig.expectNothingHeld();
  await rig[Symbol.asyncDispose]();
});

describe.each(HAS_VARIANTS ? KINDS : KINDS.slice(0, 2))("$name:", ({ spec }) => {
  beforeAll(async () => {
    browser = await rig.open(spec);
    client = await drive(browser);
  });
  afterEach(async () => {
    for (const { targetId, url } of await pagesOf(client)) {
      if (url !== "about:blank") await client.command("Target.closeTarget", { targetId });
    }
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await browser[Symbol.asyncDispose]();
    await rig.expectNothingHeld();
  });

  test("a picture is a small copy of the page, and taking it leaves nothing behind", async () => {
    const page = await openPage(client, PAGE);
    for (const colour of [BLUE, RED]) {
      await paint(page, colour);
      const { width, height } = await untilColour(colour);
      expect([width, height <= 360]).toEqual([640, true]);
    }
    const before = countSockets();
    for (const { type, bytes } of await Promise.all([1, 2].map(() => browser.takeThumbnail(NEVER)))) {
      expect(type).toBe(spec.isHeadless ? "image/jpeg" : "image/png");
      expect(bytes.length).toBeLessThan(100_000);
    }
    await until(countSockets, (count) => count <= before);
  });

  // Graphical browsers are captured from the screen, so only pages in headless browsers could detect a capture.
  const withScreencast = [spec].filter(({ isHeadless }) => isHeadless).map(({ kind }) => kind);
  test.each(withScreencast)("a page in %s can't detect a picture", async () => {
    const page = await openPage(client, PAGE);
    await paint(page, GREEN);
    await page(DETECT_CAPTURE);
    await untilColour(GREEN);
    // Waits for the events that opening the page causes.
    await passFrames(page);
    await page("noticed.splice(0)");
    for (let count = 0; count < 5; count += 1) await browser.takeThumbnail(NEVER);
    await passFrames(page);
    expect(await page("noticed")).toEqual([]);
  });

  test.each(withScreencast)("a page in %s that never stops changing is captured, and keeps running", async () => {
    const page = await openPage(client, PAGE);
    await paint(page, BLUE);
    await untilColour(BLUE);
    const busy = page("for (const end = performance.now() + 1500; performance.now() < end; ); 'done'");
    const { colour } = await read(await browser.takeThumbnail(NEVER));
    expect(isNear(colour, BLUE)).toBe(true);
    expect(await busy).toBe("done");
  });

  // The headless shell closes dialogs automatically when no client waits for them. Taking a picture of a screen sends
  // no DevTools commands, which could close dialogs.
  const withDialogs = [spec]
    .filter(({ kind, isHeadless }) => kind !== "chrome-headless-shell" && (isHeadless || HAS_VARIANTS))
    .map(({ kind }) => kind);
  test.each(withDialogs)(
    "a dialog in %s stays open, and the picture shows the dialog or the page behind it",
    async () => {
      const page = await openPage(client, PAGE);
      await paint(page, BLUE);
      await untilColour(BLUE);
      const asking = page("confirm('Are you sure?')");
      // If taking a picture closed the dialog, `confirm` would return during this loop.
      for (let count = 0; count < 3; count += 1) await browser.takeThumbnail(NEVER);
      expect(await Promise.race([asking, client.command("Target.getTargets")])).toHaveProperty("targetInfos");
    },
  );

  const withSeveralPages = [spec].filter(({ isHeadless }) => isHeadless || HAS_VARIANTS).map(({ kind }) => kind);
  test.each(withSeveralPages)("with several pages in %s, a picture shows the page in front", async () => {
    const opened = [await openPage(client, PAGE), await openPage(client, PAGE)];
    await paint(opened[0], RED);
    await paint(opened[1], GREEN);
    await client.command("Target.createTarget", { url: "about:blank", background: true });
    const { colour } = await untilColour(GREEN);
    expect(isNear(colour, GREEN)).toBe(true);
  });
});

describe("taking a picture of a browser", () => {
  test("without a page fails", async () => {
    {
      await using empty = await rig.open({ kind: "chrome-headless-shell" });
      await using only = await drive(empty);
      for (const { targetId } of await pagesOf(only)) await only.command("Target.closeTarget", { targetId });
      // The browser lists the page for a short time after closing it.
      const take = () => empty.takeThumbnail(NEVER).catch((error: unknown) => String(error));
      const taken = await until(take, (outcome) => typeof outcome === "string");
      expect(taken).toBe("Error: The browser shows no page.");
    }
    await rig.expectNothingHeld();
  });

  variant("that hangs fails within the time limit and leaks no resources", async () => {
    {
      await using hung = await rig.open({ isHeadless: true, id: "hung" });
      const before = countSockets();
      const pid = rig.mainProcess("hung");
      process.kill(pid, "SIGSTOP");
      await expect(hung.takeThumbnail(NEVER)).rejects.toThrow("The browser did not send a thumbnail within 5000 ms.");
      await expect(hung.takeThumbnail(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
      await until(countSockets, (count) => count <= before);
      process.kill(pid, "SIGCONT");
      expect((await read(await hung.takeThumbnail(NEVER))).width).toBe(640);
    }
    await rig.expectNothingHeld();
  });

  variant("fails if the browser ends during the capture", async () => {
    const ending = await rig.open({});
    const taking = Promise.allSettled([1, 2, 3].map(() => ending.takeThumbnail(NEVER)));
    await ending[Symbol.asyncDispose]();
    for (const { status } of await taking) expect(status).toBe("rejected");
    await expect(ending.takeThumbnail(NEVER)).rejects.toThrow();
    await rig.expectNothingHeld();
  });
});

/** Waits while a page draws half a second's worth of frames, so that its checks have run. */
async function passFrames(page: Evaluate): Promise<void> {
  const before = Number(await page("frames"));
  await until(
    async () => Number(await page("frames")),
    (now) => now >= before + 30,
  );
}

async function paint(page: Evaluate | undefined, colour: readonly number[]): Promise<void> {
  await page?.(`document.documentElement.style.background = "rgb(${colour.join()})"`);
}

/** Takes pictures until one shows the expected colour. On a busy machine, a picture can time out. */
async function untilColour(wanted: readonly number[]): Promise<Seen> {
  return until(
    () => browser.takeThumbnail(NEVER).then(read, () => NOTHING),
    ({ colour }) => isNear(colour, wanted),
  );
}

function isNear(one: readonly number[], other: readonly number[]): boolean {
  return one.every((value, at) => Math.abs(value - (other[at] ?? 0)) < TOLERANCE);
}

/** The pointer is at the centre, so `colour` is taken from a pixel to the left. */
type Seen = { readonly width: number; readonly height: number; readonly colour: readonly number[] };

const NOTHING: Seen = { width: 0, height: 0, colour: [-255, -255, -255] };

/** Decodes a PNG in this process, and a JPEG in another browser. */
async function read({ type, bytes }: Thumbnail): Promise<Seen> {
  if (type === "image/png") {
    const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
    const at = 4 * (Math.floor(height / 2) * width + Math.floor(width / 4));
    return { width, height, colour: [...data.subarray(at, at + 3)] };
  }
  return (await (
    await reader()
  )(`(async () => {
    const bytes = Uint8Array.from(atob("${Buffer.from(bytes).toString("base64")}"), (each) => each.charCodeAt(0));
    const { width, height } = await createImageBitmap(new Blob([bytes])).then((image) => (seen = image));
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(seen, 0, 0);
    return { width, height, colour: [...context.getImageData(width >> 2, height >> 1, 1, 1).data].slice(0, 3) };
  })()`)) as Seen;
}

let reading: Promise<{ browser: HostedBrowser; client: DevtoolsClient; page: Evaluate }> | undefined;

async function reader(): Promise<Evaluate> {
  reading ??= (async () => {
    const own = await openBrowserRig("none");
    const opened = await own.open({ kind: "chrome-headless-shell" });
    const driver = await drive(opened);
    held.defer(async () => {
      await driver[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    });
    const page = await openPage(driver, PAGE);
    await page("globalThis.seen = undefined");
    return { browser: opened, client: driver, page };
  })();
  return (await reading).page;
}

const held = new AsyncDisposableStack();
afterAll(() => held.disposeAsync());

/** Returns the number of this process's open Unix sockets and pipes. */
function countSockets(): number {
  return process.getActiveResourcesInfo().filter((each) => each === "PipeWrap").length;
}
