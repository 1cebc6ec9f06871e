import { afterAll, beforeAll, expect, test } from "vitest";
import { type BrowserRig, openBrowserRig } from "../../../../test/support/browsers/browser-rig.ts";
import { attachToPage, openPage, pagesOf } from "../../../../test/support/browsers/devtools-client.ts";
import { drive } from "../../../../test/support/browsers/real-host.ts";

let rig: BrowserRig;

beforeAll(async () => {
  rig = await openBrowserRig("sandbox");
});

afterAll(async () => {
  await rig.expectNothingHeld();
  await rig[Symbol.asyncDispose]();
});

/** A sample word for each language. */
const WORDS: Readonly<Record<string, string>> = {
  Amharic: "ቋንቋ",
  Arabic: "لغة",
  Armenian: "լեզու",
  Bengali: "ভাষা",
  Burmese: "ဘာသာ",
  Chinese: "语言",
  Georgian: "ენა",
  Gujarati: "ભાષા",
  Hebrew: "שפה",
  Hindi: "भाषा",
  Japanese: "ことば",
  Kannada: "ಭಾಷೆ",
  Khmer: "ភាសា",
  Korean: "언어",
  Lao: "ພາສາ",
  Malayalam: "ഭാഷ",
  Odia: "ଭାଷା",
  Punjabi: "ਭਾਸ਼ਾ",
  Russian: "язык",
  Sinhala: "භාෂා",
  Tamil: "மொழி",
  Telugu: "భాష",
  Thai: "ภาษา",
};

/** Returns an expression that is true if no character is shown as the empty box that stands for a missing glyph. */
const toReadable = (word: string): string => `(() => {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const draw = (text) => {
    context.reset();
    context.font = "40px sans-serif";
    context.fillText(text, 50, 60);
    return canvas.toDataURL();
  };
  const box = draw("\u0378");
  return draw("") !== box && [...${JSON.stringify(word)}].every((character) => draw(character) !== box);
})()`;

/** For each web feature, an expression that is true if the feature works. */
const FEATURES: Readonly<Record<string, string>> = {
  WebGL: `(() => {
    const gl = document.createElement("canvas").getContext("webgl2");
    gl.clearColor(0, 1, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return pixel[1] === 255;
  })()`,
  // Chromium only sees a loopback interface, so it could report that it is offline.
  "online status": "navigator.onLine",
  WebAssembly: `WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => true)`,
  workers: `new Promise((answer) => {
    const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(true)"])));
    worker.onmessage = ({ data }) => answer(data);
  })`,
  audio: `(async () => {
    const context = new OfflineAudioContext(1, 4410, 44100);
    const tone = context.createOscillator();
    tone.connect(context.destination);
    tone.start();
    return (await context.startRendering()).getChannelData(0).some((sample) => sample !== 0);
  })()`,
  "the private file system": `(async () => {
    const folder = await navigator.storage.getDirectory();
    const file = await folder.getFileHandle("file", { create: true });
    const stream = await file.createWritable();
    await stream.write("text");
    await stream.close();
    return (await (await file.getFile()).text()) === "text";
  })()`,
  IndexedDB: `new Promise((answer, fail) => {
    const opening = indexedDB.open("name");
    opening.onsuccess = () => answer(true);
    opening.onerror = () => fail(opening.error);
  })`,
  ...Object.fromEntries(Object.entries(WORDS).map(([language, word]) => [language, toReadable(word)])),
};

test.each([
  ["headless Chromium", { kind: "chromium", isHeadless: true }],
  ["graphical Chromium", { kind: "chromium", isHeadless: false }],
  ["headless shell", { kind: "chrome-headless-shell", isHeadless: true }],
] as const)("with all restrictions enabled, pages in %s can use web features", async (_, options) => {
  await using browser = await rig.open(options);
  const client = await drive(browser);
  // A secure context, served by the fake proxy.
  const page = await openPage(client, "http://localhost/");
  const works = await Promise.all(
    Object.entries(FEATURES).map(async ([name, expression]) => [name, await page(expression)] as const),
  );
  expect(Object.fromEntries(works)).toEqual(Object.fromEntries(Object.keys(FEATURES).map((name) => [name, true])));
  const target = (await pagesOf(client)).find(({ url }) => url === "http://localhost/");
  const { command } = await attachToPage(client, target?.targetId);
  const read = async (method: string): Promise<Buffer> =>
    Buffer.from(String((await command(method))["data"]), "base64");
  expect((await read("Page.printToPDF")).toString("latin1", 0, 4)).toBe("%PDF");
  expect((await read("Page.captureScreenshot")).toString("latin1", 1, 4)).toBe("PNG");
});
