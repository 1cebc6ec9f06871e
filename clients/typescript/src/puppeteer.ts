import type { Browser, ConnectOptions } from "puppeteer-core";
import { connected, loadLibrary } from "./library.ts";

/** Options of `puppeteer.connect` without the endpoint. `defaultViewport` is null by default: pages fill the window. */
export type PuppeteerOptions = Omit<ConnectOptions, "browserWSEndpoint" | "browserURL" | "transport" | "channel">;

/**
 * Connects Puppeteer to an open browser. On the result, `disconnect()` leaves the browser open and `close()` closes it.
 * @throws {ConnectionError} When the browser has ended or can't be reached.
 * @throws {Error} When puppeteer-core is not installed; puppeteer includes it.
 */
export async function connectPuppeteer(
  browser: { readonly address: string },
  options: PuppeteerOptions = {},
): Promise<Browser> {
  const { default: puppeteer } = await loadLibrary("puppeteer-core", async () => import("puppeteer-core"));
  const { address } = browser;
  return connected(puppeteer.connect({ defaultViewport: null, ...options, browserWSEndpoint: address }), address);
}
