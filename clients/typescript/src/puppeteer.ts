import type { Browser, ConnectOptions } from "puppeteer-core";
import { connected, loadLibrary } from "./library.ts";

/** Options of `puppeteer.connect`, except the endpoint. `defaultViewport` defaults to null: pages fill the window. */
export type PuppeteerOptions = Omit<ConnectOptions, "browserWSEndpoint" | "browserURL" | "transport" | "channel">;

/**
 * Connects Puppeteer to an open browser. The result's `disconnect()` leaves the browser open, and `close()` closes it.
 * @throws {ConnectionError} If the browser has ended or can't be reached.
 * @throws {Error} If puppeteer-core, which is part of puppeteer, is not installed.
 */
export async function connectPuppeteer(
  browser: { readonly address: string },
  options: PuppeteerOptions = {},
): Promise<Browser> {
  const { default: puppeteer } = await loadLibrary("puppeteer-core", async () => import("puppeteer-core"));
  const { address } = browser;
  return connected(puppeteer.connect({ defaultViewport: null, ...options, browserWSEndpoint: address }), address);
}
