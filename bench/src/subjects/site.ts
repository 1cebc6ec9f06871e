import { once } from "node:events";
import { createServer } from "node:http";
import puppeteer from "puppeteer";

const PAGE = "<!doctype html><title>A page</title><h1>A page</h1>";

/** A web site of one page, on this machine's loopback. */
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

/** Does with a browser what most clients begin with: connects, and loads a page in a tab of its own. */
export async function visit(endpoint: string, url: string): Promise<void> {
  const browser = await puppeteer.connect({ browserWSEndpoint: endpoint });
  const page = await browser.newPage();
  const answer = await page.goto(url);
  if (answer?.ok() !== true) throw new Error(`${url} was answered with ${answer?.status() ?? "nothing"}.`);
  await browser.disconnect();
}
