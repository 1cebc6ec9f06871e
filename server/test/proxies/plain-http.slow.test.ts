import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Evaluate, connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { openEgress, openSite } from "../support/proxies/egress-rig.ts";
import { openChromium } from "../support/gateway/chromium.ts";

const KB = 1024;

/** A page of one site, loaded in Chromium without a proxy and behind this service's proxy. */
const pages: { alone?: Evaluate; proxied?: Evaluate } = {};
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  const site = stack.use(await openSite(answer));
  const { endpoint } = await openEgress(stack);
  const proxied = [`--proxy-server=http://${endpoint.host}:${endpoint.port}`, "--proxy-bypass-list=<-loopback>"];
  for (const [name, switches] of Object.entries({ alone: [], proxied })) {
    const chromium = stack.use(await openChromium(switches));
    const client = stack.use(await connectDevtools(`ws://127.0.0.1:${chromium.port}${chromium.devtoolsPath}`));
    pages[name as keyof typeof pages] = await openPage(client, `http://127.0.0.1:${site.port}/`);
  }
});

afterAll(() => stack.disposeAsync());

function answer({ url = "", headers, socket }: IncomingMessage, response: ServerResponse): void {
  const [path = "", given = ""] = url.slice(1).split("?");
  // The site keeps reading the body in the background unless it closes the connection.
  if (path === "head") response.setHeader("x-long", "v".repeat(Number(given)));
  if (path === "heads") for (let at = 0; at < Number(given); at += 1) response.setHeader(`x-${at}`, "v".repeat(KB));
  if (path === "early") response.writeHead(Number(given));
  if (path === "close") response.writeHead(Number(given), { connection: "close" });
  if (path === "reset") {
    response.writeHead(Number(given), { "content-length": 4 });
    return void response.end("told", () => socket.resetAndDestroy());
  }
  response.end(`${url.length} ${headers.cookie?.length} ${headers["x-long"]?.length}`);
}

const toFetch = (path: string, options = "{}"): string =>
  `fetch(${path}, ${options}).then(async (r) => r.status + " " + await r.text(), (e) => e.message)`;
const toUpload = (path: string, bytes: number): string =>
  toFetch(`"${path}"`, `{ method: "POST", body: new Uint8Array(${bytes}) }`);

test.each([
  ...[20, 100, 1900].map((kb) => [`a URL of ${kb} KB`, toFetch(`"/?" + "a".repeat(${kb * KB})`)]),
  ...[20, 100].map((kb) => [
    `a header of ${kb} KB`,
    toFetch(`"/"`, `{ headers: { "x-long": "v".repeat(${kb * KB}) } }`),
  ]),
  ...[20, 100, 250, 300].map((kb) => [`a response header of ${kb} KB`, toFetch(`"/head?${kb * KB}"`)]),
  ...[20, 100, 240].map((kb) => [`${kb} response headers of 1 KB`, toFetch(`"/heads?${kb}"`)]),
  ...[1, 20].flatMap((mb) => [
    [`an upload of ${mb} MB that the site reads after responding`, toUpload("/early?413", mb * KB * KB)],
    [`an upload of ${mb} MB that the site refuses with 401`, toUpload("/early?401", mb * KB * KB)],
    [
      `an upload of ${mb} MB, when the site closes the connection after responding`,
      toUpload("/close?413", mb * KB * KB),
    ],
  ]),
  ["an upload of 20 MB, when the site resets the connection after responding", toUpload("/reset?413", 20 * KB * KB)],
  // This case runs last, because its cookies remain set.
  [
    "cookies of 150 KB",
    `for (let at = 0; at < 50; at += 1) document.cookie = "c" + at + "=" + "k".repeat(3000); ${toFetch(`"/"`)}`,
  ],
])("Chromium receives the same response with and without the proxy: %s", async (_what, expression) => {
  const [alone, proxied] = [await pages.alone?.(expression), await pages.proxied?.(expression)];
  expect(proxied).toBe(alone);
});
