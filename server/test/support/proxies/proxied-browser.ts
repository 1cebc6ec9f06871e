import puppeteer, { type Page } from "puppeteer";
import type { RealServer } from "../servers/real-server.ts";
import { PATIENCE } from "../until.ts";

/** Time limit for a page: longer than the server waits for an unresponsive proxy. */
const PAGE_MS = 50_000 * PATIENCE;

/** Opens a browser, runs `use`, and closes the browser. */
export async function withBrowser<T>(
  server: RealServer,
  options: object,
  use: (newPage: () => Promise<Page>) => Promise<T>,
): Promise<T> {
  const address = await server.open(options);
  const browser = await puppeteer.connect({ browserWSEndpoint: address });
  try {
    return await use(() => browser.newPage());
  } finally {
    await browser.disconnect();
    await server.close(address);
  }
}

/** Loads a page. @returns The page's status and text, or Chromium's error. */
export async function loadPage(page: Page, url: string): Promise<{ status: number | undefined; text: string }> {
  try {
    const answer = await page.goto(url, { timeout: PAGE_MS });
    return { status: answer?.status(), text: await page.evaluate("document.body.innerText").then(String) };
  } catch (error) {
    return { status: undefined, text: (error as Error).message };
  }
}
