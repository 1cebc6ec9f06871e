import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import puppeteer, { type Page } from "puppeteer";
import { listen } from "../processes/listen.ts";

const PAGE = "<!doctype html><title>A page</title><h1>A page</h1>";

/** Number of images on `/many`. Each image has a size of one kilobyte. */
export const IMAGES = 200;
const PIXEL = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");
const IMAGE = Buffer.concat([PIXEL, Buffer.alloc(1000 - PIXEL.length)]);
const MANY = `<!doctype html><title>Many</title>${Array.from({ length: IMAGES }, (_, n) => `<img src="/image/${n}">`).join("")}`;

/** Size of `/big`, in bytes. */
export const BIG_BYTES = 100 * 2 ** 20;
const CHUNK = Buffer.alloc(2 ** 20);

/** A website on the loopback interface. Browsers don't cache its responses. */
type Site = AsyncDisposable & { readonly url: string };

/** @param scheme With `https`, browsers must accept a self-signed certificate. */
export async function openSite(scheme: "http" | "https" = "http"): Promise<Site> {
  const answer: RequestListener = ({ url = "" }, response) => {
    response.setHeader("Cache-Control", "no-store");
    if (url.startsWith("/image/")) response.setHeader("Content-Type", "image/gif").end(IMAGE);
    else if (url === "/big") void pipeline(Readable.from(toChunks(BIG_BYTES)), response).catch(() => {});
    else response.setHeader("Content-Type", "text/html; charset=utf-8").end(url === "/many" ? MANY : PAGE);
  };
  const server = scheme === "http" ? createServer(answer) : createSecureServer(await newCertificate(), answer);
  return {
    url: `${scheme}://127.0.0.1:${await listen(server)}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Creates a key and a self-signed certificate. */
async function newCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-subj", "/CN=localhost"];
  const { stdout } = await promisify(execFile)("openssl", ["req", "-x509", ...kind, "-keyout", "-", "-out", "-"]);
  return { key: stdout, cert: stdout };
}

function* toChunks(bytes: number): Generator<Buffer> {
  for (let sent = 0; sent < bytes; sent += CHUNK.length) yield CHUNK;
}

/** Runs the first steps of a typical client: connects, and loads a page in a new tab or in the browser's first tab. */
export async function loadPage(endpoint: string, url: string, tab: "new" | "first"): Promise<void> {
  await using client = await connectToPage(endpoint, { tab });
  const answer = await client.page.goto(url);
  if (answer?.ok() !== true) throw new Error(`${url} returned ${answer?.status() ?? "no response"}.`);
}

/** Connects Puppeteer to a browser. Disposing of the result disconnects Puppeteer. */
export async function connectToPage(
  endpoint: string,
  { tab = "first", ...options }: { readonly tab?: "new" | "first"; readonly acceptInsecureCerts?: boolean } = {},
): Promise<AsyncDisposable & { readonly page: Page }> {
  const browser = await puppeteer.connect({ browserWSEndpoint: endpoint, ...options });
  const [first] = tab === "first" ? await browser.pages() : [];
  const page = first ?? (await browser.newPage());
  return { page, [Symbol.asyncDispose]: () => browser.disconnect() };
}
