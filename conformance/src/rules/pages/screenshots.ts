import { operations } from "@remote-browser/contract/operations";
import { SCREENSHOT, SCREENSHOT_IMAGE, response, schema } from "../pointers.ts";
import { NeverApplicable, Violation } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import { describe, expectEqual, expectRefusal, expectSuccess, expectThat, toErrorBody } from "../../session/expect.ts";
import type { Account } from "../../session/account.ts";
import type { Run } from "../../session/run.ts";
import type { Exchange } from "../../target/exchange.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { evaluateOnFirstPage } from "../../target/pages.ts";
import { unusedAddress } from "../../target/addresses.ts";
import { infoOf, openAccepted, openNamed, unusedId } from "../../scenario/records.ts";

const DESCRIPTION = `${SCREENSHOT}/description`;

const PAGE = { Width: 640, Height: 480 };
/** Shorter than the KeepOpen below, but long enough to reveal whether the period was restarted. */
const BEFORE_MS = 1500;

/** What a page shows, one after the other. */
const COLOURS = { red: [255, 0, 0], blue: [0, 0, 255] } as const;
/** How long a page may take to show its colour. */
const PAINTED_MS = 5000;

type Size = { readonly width: number; readonly height: number };

/** Screenshots of open browsers. */
export const SCREENSHOT_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-SHOT-01",
    at: schema("Screenshot", "type"),
    sentence: "The picture's media type, `image/png` or `image/jpeg`.",
    covers: ["takeScreenshot 200"],
    opens: 1,
    async check(run) {
      const { address, id } = await openNamed(run);
      for (const browser of [{ id }, { address }]) sizeOf(await takeScreenshot(run.main, browser));
    },
  },
  {
    id: "RBS-SHOT-02",
    at: DESCRIPTION,
    sentence: "The picture has the full size, in device pixels.",
    covers: ["takeScreenshot 200"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { id } = await openAccepted(run, { Screen: { ...PAGE, Scale: 2 } });
      const size = sizeOf(await takeScreenshot(run.main, { id }));
      expectEqual("the screenshot size for a 640 × 480 page at Scale 2", size, { width: 1280, height: 960 });
    },
  },
  {
    id: "RBS-SCREEN-05",
    at: schema("Screen", "Scale"),
    sentence: "The default is 1.",
    covers: ["Screen.Scale"],
    opens: 2,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      for (const Scale of [undefined, null]) {
        const size = await sizeWith(run, { Screen: { ...PAGE, Scale } });
        expectEqual(`the screenshot size when Scale is ${Scale}`, size, { width: PAGE.Width, height: PAGE.Height });
      }
    },
  },
  {
    id: "RBS-SCREEN-06",
    at: schema("OpenOptions", "Screen"),
    sentence: "By default, it depends on the deployment.",
    opens: 2,
    atOnce: 1,
    isDetail: true,
    async check(run) {
      const usual = await sizeWith(run, {});
      expectEqual("the screenshot size when Screen is null", await sizeWith(run, { Screen: null }), usual);
    },
  },
  {
    id: "RBS-SHOT-03",
    at: DESCRIPTION,
    sentence: "and it does not count as activity.",
    capability: "idle",
    covers: ["takeScreenshot 200"],
    opens: 1,
    waitsS: 3,
    isDetail: true,
    async check(run) {
      const { id } = await openAccepted(run, { KeepOpen: 30 });
      const before = await infoOf(run.main, { id });
      await run.sleep(BEFORE_MS);
      await takeScreenshot(run.main, { id });
      const after = await infoOf(run.main, { id });
      expectEqual("closesOn after a screenshot", after["closesOn"], before["closesOn"]);
    },
  },
  {
    id: "RBS-SHOT-06",
    at: DESCRIPTION,
    sentence: "Takes a picture of what an open browser shows now",
    covers: ["takeScreenshot 200"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { address, id } = await openNamed(run);
      await using devtools = await connectDevtools(address);
      for (const [name, colour] of Object.entries(COLOURS)) {
        await evaluateOnFirstPage(devtools, paint(colour));
        const shown = async (): Promise<string> => {
          const { type, bytes } = await takeScreenshot(run.main, { id });
          const pixel = await evaluateOnFirstPage(
            devtools,
            readCentre(`data:${String(type)};base64,${bytes.toString("base64")}`),
          );
          return isNear(pixel, colour) ? name : `a pixel of ${JSON.stringify(pixel)}`;
        };
        await run.until(shown, (seen) => seen === name, PAINTED_MS, `a screenshot of a page that is ${name}`);
      }
    },
  },
  {
    id: "RBS-SHOT-04",
    at: response("BrowserNotFound"),
    sentence: "No open browser of this account has that address or id",
    covers: ["takeScreenshot 404"],
    opens: 1,
    async check(run) {
      const { address, id } = await openNamed(run);
      expectSuccess(await run.main.close(address));
      for (const browser of [{ id }, { address }, { id: unusedId() }, { address: unusedAddress() }]) {
        expectRefusal(await run.main.call("takeScreenshot", browser), "BrowserNotFound");
      }
    },
  },
  {
    id: "RBS-SHOT-05",
    at: schema("BrowserReference"),
    sentence: "A request with both, or with neither, is a `BadRequest`.",
    covers: ["takeScreenshot 400"],
    async check({ main }) {
      for (const body of [{}, { id: unusedId(), address: unusedAddress() }, { id: 5 }, undefined]) {
        expectRefusal(await main.call("takeScreenshot", body), "BadRequest");
      }
    },
  },
  {
    id: "RBS-SHOT-07",
    level: "recommended",
    at: `${SCREENSHOT_IMAGE}/description`,
    sentence: "Takes the same picture as Screenshot, and responds with the image file itself.",
    covers: ["takeScreenshotImage 200"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { id } = await openAccepted(run, { Screen: PAGE });
      const { received } = await takeImage(run.main, id);
      expectThat(received.status === 200, "200", describe(received));
      const { headers, bytes = Buffer.alloc(0) } = received;
      const size = sizeOf({ type: headers["content-type"], bytes });
      expectEqual("the image size", size, sizeOf(await takeScreenshot(run.main, { id })));
    },
  },
  {
    id: "RBS-SHOT-08",
    level: "recommended",
    at: `${SCREENSHOT_IMAGE}/description`,
    sentence: "it should refuse a request for the reasons for which Screenshot refuses one",
    covers: [400, 401, 404].map((status) => `takeScreenshotImage ${status}`),
    async check({ main }) {
      const id = unusedId();
      const asked = await takeImage(main, id);
      if (toErrorBody(asked.received.json).name === "NotFound") {
        throw new NeverApplicable("The deployment doesn't have this preview.");
      }
      expectRefusal(await takeImage(main, id, { Authorization: "" }), "AuthorizationError");
      for (const wrong of [undefined, "", "x".repeat(2049)]) {
        expectRefusal(await takeImage(main, wrong), "BadRequest", "/id");
      }
      expectRefusal(asked, "BrowserNotFound");
    },
  },
]);

/** @param id The query's `id`, omitted if undefined. */
function takeImage(account: Account, id: string | undefined, headers: Record<string, string> = {}): Promise<Exchange> {
  const query = id === undefined ? "" : `?id=${id}`;
  return account.raw({ method: "GET", path: `${operations.takeScreenshotImage.path}${query}`, headers });
}

/** Returns an expression that fills the page with a colour. */
function paint(colour: readonly number[]): string {
  return `document.documentElement.style.background = "rgb(${colour.join()})"`;
}

/** Returns an expression whose value is the colour in the centre of an image. The browser decodes the image. */
function readCentre(url: string): string {
  return `(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(url)};
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return [...context.getImageData(image.width / 2, image.height / 2, 1, 1).data].slice(0, 3);
  })()`;
}

/** Whether two colours differ no more than a JPEG's do. */
function isNear(pixel: unknown, colour: readonly number[]): boolean {
  return Array.isArray(pixel) && colour.every((value, at) => Math.abs(value - Number(pixel[at])) < 40);
}

type Picture = { readonly type: unknown; readonly bytes: Buffer };

/** Opens a browser, takes a screenshot and closes the browser. @returns The screenshot's size. */
async function sizeWith(run: Run, options: object): Promise<Size> {
  const { address, id } = await openAccepted(run, options);
  const size = sizeOf(await takeScreenshot(run.main, { id }));
  expectSuccess(await run.main.close(address));
  return size;
}

async function takeScreenshot(account: Account, browser: object): Promise<Picture> {
  const { type, image } = expectSuccess(await account.call("takeScreenshot", browser));
  const text = String(image);
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  expectThat(isBase64, "a Base64-encoded image", `${text.slice(0, 20)}…`);
  return { type, bytes: Buffer.from(text, "base64") };
}

/** Reads the size from the header of a PNG or JPEG. @throws {Violation} If the image has another format. */
function sizeOf({ type, bytes }: Picture): Size {
  const size = type === "image/png" ? sizeOfPng(bytes) : type === "image/jpeg" ? sizeOfJpeg(bytes) : undefined;
  const head = bytes.subarray(0, 8).toString("hex");
  if (size !== undefined) return size;
  const seen = `${JSON.stringify(type)} with data that begins with ${head}`;
  throw new Violation({ expected: "an image that matches the response's media type", seen });
}

function sizeOfPng(bytes: Buffer): Size | undefined {
  const isPng = bytes.length > 24 && bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;
}

/** The size is in the start-of-frame segment (0xC0 to 0xCF, except for tables and extensions). */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}
