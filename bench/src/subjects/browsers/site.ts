import { once } from "node:events";
import { execFile } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import puppeteer from "puppeteer";

const PAGE = "<!doctype html><title>A page</title><h1>A page</h1>";

/** Images of `/many`, of a kilobyte each. */
export const IMAGES = 200;
const PIXEL = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");
const IMAGE = Buffer.concat([PIXEL, Buffer.alloc(1000 - PIXEL.length)]);
const MANY = `<!doctype html><title>Many</title>${Array.from({ length: IMAGES }, (_, n) => `<img src="/image/${n}">`).join("")}`;

/** The size of `/big`, in bytes. */
export const BIG_BYTES = 100 * 2 ** 20;
const CHUNK = Buffer.alloc(2 ** 20);

/** A web site on the loopback interface. Browsers don't cache what it sends. */
type Site = AsyncDisposable & { readonly url: string };

/** @param scheme With `https`, browsers have to ignore that they don't know who signed its certificate. */
export async function openSite(scheme: "http" | "https" = "http"): Promise<Site> {
  const answer: RequestListener = ({ url = "" }, response) => {
    response.setHeader("Cache-Control", "no-store");
    if (url.startsWith("/image/")) response.setHeader("Content-Type", "image/gif").end(IMAGE);
    else if (url === "/big") void pipeline(Readable.from(toChunks(BIG_BYTES)), response).catch(() => {});
    else response.setHeader("Content-Type", "text/html; charset=utf-8").end(url === "/many" ? MANY : PAGE);
  };
  const server = scheme === "http" ? createServer(answer) : createSecureServer(await newCertificate(), answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return {
    url: `${scheme}://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A key, with a certificate that it signs itself. */
async function newCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-subj", "/CN=localhost"];
  const { stdout } = await promisify(execFile)("openssl", ["req", "-x509", ...kind, "-keyout", "-", "-out", "-"]);
  return { key: stdout, cert: stdout };
}

function* toChunks(bytes: number): Generator<Buffer> {
  for (let sent = 0; sent < bytes; sent += CHUNK.length) yield CHUNK;
}

/** Does what most clients do first: connects, and loads a page in a new tab or in the first one, which is open. */
export async function loadPage(endpoint: string, url: string, tab: "new" | "first"): Promise<void> {
  const browser = await puppeteer.connect({ browserWSEndpoint: endpoint });
  const [first] = tab === "first" ? await browser.pages() : [];
  const page = first ?? (await browser.newPage());
  const answer = await page.goto(url);
  if (answer?.ok() !== true) throw new Error(`${url} answered ${answer?.status() ?? "nothing"}.`);
  await browser.disconnect();
}
