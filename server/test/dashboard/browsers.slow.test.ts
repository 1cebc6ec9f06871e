import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { checkPage } from "../support/pages/check-page.ts";
import { PATIENCE_MS, useFirstUser } from "../support/pages/first-user.ts";
import { until } from "../support/until.ts";

const MANY_TAGS = Array.from({ length: 20 }, (_, index) => `${index}-${"tag".repeat(40)}`);
const first = useFirstUser();

describe("pictures", () => {
  const isShown = (page: Page) => page.evaluate("document.querySelector('.shot img').naturalWidth > 0");

  test("are replaced without flicker, even during other updates, and show their age", async () => {
    await first.open();
    const page = await first.visitBrowsers();
    await until(() => isShown(page), Boolean);
    await page.evaluate(`{
      globalThis.gaps = 0;
      const look = () => {
        if (!(document.querySelector(".shot img")?.naturalWidth > 0)) gaps += 1;
        requestAnimationFrame(look);
      };
      look();
    }`);
    const source = () => page.locator(".shot img").first().getAttribute("src");
    const shown = await source();
    await first.open({ Label: "another" });
    await page.locator(".browser", { hasText: "another" }).waitFor();
    await until(source, (now) => now !== shown);
    expect(await page.evaluate("gaps")).toBe(0);
    expect(await page.locator(".age").first().innerText()).toMatch(/^Picture taken\s+\d+ s ago$/);
  });

  test("have a placeholder until the first capture", async () => {
    await first.open();
    const page = await first.visitBrowsers();
    await page.route("**/picture*", (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.locator(".shot[data-missing]").waitFor();
    expect(await page.getByText("No picture yet").isVisible()).toBe(true);
    await page.unroute("**/picture*");
    await page.locator(".shot:not([data-missing])").waitFor({ timeout: PATIENCE_MS });
    expect(await isShown(page)).toBe(true);
    // The placeholder would be visible beside a portrait picture.
    expect(await page.getByText("No picture yet").isVisible()).toBe(false);
  });
});

describe("a card's buttons", () => {
  test("open the browser's desktop in a new tab with one click", async () => {
    await first.open();
    const page = await first.visitBrowsers();
    const opening = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Open desktop" }).click();
    const desktop = await opening;
    await desktop.locator("html[data-state=connected]").waitFor();
    expect(new URL(desktop.url()).hash).toMatch(/^#\w{8}$/);
    await page.getByText("1 client").waitFor();
    await page.locator(".details summary").click();
    await page.getByRole("button", { name: "Stop desktop" }).click();
    await page.getByText("Desktop stopped.").waitFor();
    await page.getByText("No clients").waitFor();
  });

  test.each([true, false])(
    "close the browser after a confirmation, using only the keyboard, with scripts: %s",
    async (javaScriptEnabled) => {
      await first.open({ Label: "nightly" });
      const page = await first.visitBrowsers({ javaScriptEnabled });
      await page.locator(".ask summary").focus();
      await page.keyboard.press("Enter");
      await page.getByText("Close this browser?").waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByText("Browser closed.").waitFor();
      expect(await page.locator(".browser").count()).toBe(0);
    },
  );
});

test.each([true, false])(
  "a click on Extend increases the remaining time on the browser's card, with scripts: %s",
  async (javaScriptEnabled) => {
    await first.open({ KeepOpen: 55 });
    const page = await first.visitBrowsers({ javaScriptEnabled });
    await page.getByRole("button", { name: "Extend" }).click();
    expect(await page.locator(".left").innerText()).toMatch(/^10 min/);
  },
);

test("the page is accessible", async () => {
  const page = await first.visitBrowsers();
  expect(await checkPage(page, "browsers-none")).toEqual([]);
  const address = await first.open({
    Tags: ["nightly"],
    Label: "a label that goes on without a space: ".replaceAll(" ", "-").repeat(4),
  });
  await first.open({ Headless: true, Proxy: { Host: "proxy.example", Port: "1" }, Label: "checkout", Tags: MANY_TAGS });
  await first.open({ Tags: ["בדיקה לילית (1)", "x".repeat(128)], Lifetime: 60 });
  await first.server.post("/api/v1/Browser/StartRemoteDesktop", { address });
  await page.getByText("Desktop on").waitFor();
  await page.locator("#browsers .details summary").nth(0).click();
  await page.locator("#browsers .details summary").nth(1).click();
  await page.locator("#browsers .ask summary").nth(0).click();
  expect(await checkPage(page, "browsers")).toEqual([]);
});
