import { once } from "node:events";
import { createServer } from "node:http";
import puppeteer from "puppeteer";

const PAGE = "<!doctype html><title>A page</title><h1>A page</h1>";

/** A web site with one page, on the loopback interface. */
export type Site = AsyncDisposable & { readonly url: string };

export async function openSite(): Promise<Site> {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(PAGE);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Does what most clients do first: connects and loads a page, in a new tab or in the first one, which is open already. */
export async function loadPage(endpoint: string, url: string, tab: "new" | "first"): Promise<void> {
  const browser = await puppeteer.connect({ browserWSEndpoint: endpoint });
  const [first] = tab === "first" ? await browser.pages() : [];
  const page = first ?? (await browser.newPage());
  const answer = await page.goto(url);
  if (answer?.ok() !== true) throw new Error(`${url} answered ${answer?.status() ?? "nothing"}.`);
  await browser.disconnect();
}
