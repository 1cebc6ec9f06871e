import type { Browser, ConnectOptions } from "puppeteer-core";
import { connected, loadLibrary } from "./library.ts";

/** What `puppeteer.connect` takes, but for where to connect to. */
export type PuppeteerOptions = Omit<ConnectOptions, "browserWSEndpoint" | "browserURL" | "transport" | "channel">;

/**
 * Connects Puppeteer to an open browser. `disconnect()` of what it returns leaves the browser open, `close()` closes it.
 * @throws {ConnectionError} When the browser has ended, or cannot be reached.
 * @throws {Error} When puppeteer-core is not installed; puppeteer brings it along.
 */
export async function connectPuppeteer(
  browser: { readonly address: string },
  options: PuppeteerOptions = {},
): Promise<Browser> {
  const { default: puppeteer } = await loadLibrary("puppeteer-core", async () => import("puppeteer-core"));
  const { address } = browser;
  return connected(puppeteer.connect({ ...options, browserWSEndpoint: address }), address);
}
