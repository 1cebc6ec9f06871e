import { expect } from "vitest";
import type { BrowserSpec } from "../../../src/ports/browser-host.ts";
import type { BrowserRig } from "./browser-rig.ts";
import { attachToPage, pagesOf } from "./devtools-client.ts";
import { NEVER, drive } from "./real-host.ts";

/**
 * Asserts that a browser's page can print itself, that a new page can be opened after the last page is closed, and that
 * the browser can be closed.
 */
export async function expectKeptOpen(rig: BrowserRig, wanted: Partial<BrowserSpec>): Promise<void> {
  await using browser = await rig.open(wanted);
  const client = await drive(browser);
  const [first] = await pagesOf(client);
  const { evaluate } = await attachToPage(client, first?.targetId);
  expect(await evaluate("window.print(); 42")).toBe(42);
  // In the second pass, the last page is no longer the browser's first page.
  for (let time = 0; time < 2; time += 1) {
    for (const { targetId } of await pagesOf(client)) await client.command("Target.closeTarget", { targetId });
    await expect.poll(() => pagesOf(client)).toEqual([]);
    if (browser.screen === undefined)
      await expect(browser.takeScreenshot(NEVER)).rejects.toMatchObject({ failure: "BrowserUnavailable" });
    const { targetId } = await client.command("Target.createTarget", { url: "about:blank" });
    const page = await attachToPage(client, targetId);
    expect(await page.evaluate("6 * 7")).toBe(42);
    expect(await page.command("Page.printToPDF")).toHaveProperty("data", expect.stringMatching(/^JVBER/));
  }
  await client.command("Browser.close");
  expect(await browser.gone).toBe("exited");
}
