import type { Browser, ConnectOverCDPOptions } from "playwright-core";
import { connected, loadLibrary } from "./library.ts";

/** Options of Playwright's `connectOverCDP`, without the endpoint. */
export type PlaywrightOptions = Omit<ConnectOverCDPOptions, "endpointURL">;

/**
 * Connects Playwright to an open browser. The browser's default context is `contexts()[0]`.
 * @throws {ConnectionError} If the browser has ended or can't be reached.
 * @throws {Error} If playwright-core, which is part of playwright, is not installed.
 */
export async function connectPlaywright(
  browser: { readonly address: string },
  options: PlaywrightOptions = {},
): Promise<Browser> {
  const { chromium } = await loadLibrary("playwright-core", async () => import("playwright-core"));
  const { address } = browser;
  return connected(chromium.connectOverCDP(address, options), address);
}
