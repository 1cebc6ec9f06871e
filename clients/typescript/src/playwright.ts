import type { Browser, ConnectOverCDPOptions } from "playwright-core";
import { connected, loadLibrary } from "./library.ts";

/** What Playwright's `connectOverCDP` takes, but for where to connect to. */
export type PlaywrightOptions = Omit<ConnectOverCDPOptions, "endpointURL">;

/**
 * Connects Playwright to an open browser, whose own context is `contexts()[0]`.
 * @throws {ConnectionError} When the browser has ended, or cannot be reached.
 * @throws {Error} When playwright-core is not installed; playwright brings it along.
 */
export async function connectPlaywright(
  browser: { readonly address: string },
  options: PlaywrightOptions = {},
): Promise<Browser> {
  const { chromium } = await loadLibrary("playwright-core", async () => import("playwright-core"));
  const { address } = browser;
  return connected(chromium.connectOverCDP(address, options), address);
}
