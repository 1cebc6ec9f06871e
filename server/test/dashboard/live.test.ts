import type { Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { untilLive, useFirstUser } from "../support/pages/first-user.ts";
import { variant } from "../support/variants.ts";

const first = useFirstUser();

/** Changes the user's own plan, which only an operator can do. */
async function choosePlan(plan: string): Promise<void> {
  const { text } = await first.user.get("/operator");
  const [path = ""] = /\/operator\/accounts\/(?!new)[\w-]+/.exec(text) ?? [];
  const { status } = await first.user.post(`${path}/terms`, { plan });
  expect(status).toBe(303);
}

/** Waits until a browser's remaining time has decreased by two seconds. Evaluates to the time before, in seconds. */
const COUNT_DOWN = `new Promise((resolve) => {
  const seconds = () => Number.parseInt(document.querySelector("[data-closes-at]").textContent, 10);
  const before = seconds();
  const observer = new MutationObserver(() => {
    if (seconds() > before - 2) return;
    observer.disconnect();
    resolve(before);
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
})`;

describe("the page updates automatically", () => {
  test("when browsers open, clients connect, desktops start, time passes and browsers close", async () => {
    const page = await first.visitBrowsers();
    await page.getByText("No open browsers").waitFor();
    const address = await first.open({ Label: "nightly", KeepOpen: 55 });
    const card = page.locator(".browser", { hasText: "nightly" });
    await card.waitFor();
    expect(await page.evaluate(COUNT_DOWN)).toBeGreaterThan(40);
    expect(await page.getByText("No open browsers").count()).toBe(0);
    const client = await connectDevtools(address);
    await card.getByText("1 client").waitFor();
    await client[Symbol.asyncDispose]();
    await card.getByText("No clients").waitFor();
    await first.server.post("/api/v1/Browser/StartRemoteDesktop", { address });
    await card.getByText("Desktop on").waitFor();
    await first.close(address);
    await page.getByText("No open browsers").waitFor();
  });

  variant("when the plan is removed and restored, including the button that opens a browser", async () => {
    await first.open({ Label: "one that stays" });
    const address = await first.open();
    const page = await first.visitBrowsers();
    const offer = page.locator("#offer").getByRole("link", { name: "Open a browser" });
    expect(await offer.isVisible()).toBe(true);
    await choosePlan("none");
    await first.close(address);
    await page.getByText("Choose a plan to start").waitFor();
    expect(await page.getByRole("link", { name: "Open a browser" }).count()).toBe(0);
    await choosePlan("self-hosted");
    await first.open({ Label: "again" });
    await page.locator(".browser", { hasText: "again" }).waitFor();
    expect(await offer.isVisible()).toBe(true);
  });

  test("without changing the focus, expanded details or revealed elements", async () => {
    const oldest = await first.open({ Label: "first" });
    await first.open({ Label: "second" });
    const page = await first.visitBrowsers();
    const second = page.locator(".browser", { hasText: "second" });
    await second.locator(".ask summary").click();
    await second.locator(".details summary").click();
    const button = second.getByRole("button", { name: "Close it" });
    await button.focus();
    await page.evaluate("void (globalThis.card = document.activeElement.closest('.browser'))");
    await first.close(oldest);
    await first.open({ Label: "third" });
    await page.locator(".browser", { hasText: "third" }).waitFor();
    await page.locator(".browser", { hasText: "first" }).waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Close it");
    expect(await second.locator("details[open]").count()).toBe(2);
    expect(await page.evaluate("document.activeElement.closest('.browser') === card")).toBe(true);
  });

  variant("and moves the focus from a removed card to the list", async () => {
    const address = await first.open();
    const page = await first.visitBrowsers();
    await page.locator(".ask summary").focus();
    await first.close(address);
    await page.getByText("No open browsers").waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("browsers");
  });

  variant("and reconnects when its event stream ends", async () => {
    const page = await first.visitBrowsers();
    const ended = { contentType: "text/event-stream", body: "retry: 100\n\n" };
    await page.route("**/dashboard/events", (route) => route.fulfill(ended));
    await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator("#live", { hasText: "Reconnecting…" }).waitFor();
    await first.open({ Label: "meanwhile" });
    await page.unroute("**/dashboard/events");
    await untilLive(page);
    expect(await page.locator(".browser", { hasText: "meanwhile" }).count()).toBe(1);
  });

  variant(
    "unless too many windows are open: the oldest window pauses and shows a notice until it regains the focus",
    async () => {
      const page = await first.newPage();
      await page.addInitScript(`{
      globalThis.sources = [];
      globalThis.EventSource = class extends EventSource {
        constructor(url) {
          super(url);
          sources.push(this);
        }
      };
    }`);
      const url = new URL("/dashboard/events", first.server.service.url);
      await page.goto(new URL("/dashboard", first.server.service.url).href);
      await untilLive(page);
      const leaving = new AbortController();
      for (let count = 0; count < 10; count += 1) {
        await fetch(url, { headers: { Cookie: first.user.cookies() }, signal: leaving.signal });
      }
      await page.locator("#live", { hasText: "Paused: too many windows are open" }).waitFor();
      expect(await page.evaluate("sources.map(({ readyState }) => readyState)")).toEqual([2]);
      await first.open({ Label: "meanwhile" });
      await page.evaluate("void dispatchEvent(new Event('focus'))");
      await untilLive(page);
      leaving.abort();
      await page.locator(".browser", { hasText: "meanwhile" }).waitFor();
    },
  );

  variant("and shows the sign-in page if the user has signed out elsewhere", async () => {
    const page = await first.visitBrowsers();
    await first.user.post("/sign-out");
    await first.open();
    await page.waitForURL(/\/sign-in/);
    expect(new URL(page.url()).search).toBe("?next=%2Fdashboard");
  });

  variant("but not in a hidden window, which catches up when it becomes visible", async () => {
    const page = await first.visitBrowsers();
    const show = (state: string): Promise<unknown> =>
      page.evaluate(`{
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" });
        document.dispatchEvent(new Event("visibilitychange"));
      }`);
    const isStream = (request: Request): boolean => new URL(request.url()).pathname === "/dashboard/events";
    const ended = page.waitForEvent("requestfailed", isStream);
    await show("hidden");
    await ended;
    await first.open({ Label: "meanwhile" });
    const begun = page.waitForRequest(isStream);
    await show("visible");
    await begun;
    await page.locator(".browser", { hasText: "meanwhile" }).waitFor();
    expect(await page.locator(".browser").count()).toBe(1);
  });

  variant("and keeps showing the last list when the server stops", async () => {
    await first.open({ Label: "last" });
    const page = await first.visitBrowsers();
    await first.server.service.stop();
    await page.locator("#live", { hasText: "Reconnecting…" }).waitFor();
    expect(await page.locator(".browser").count()).toBe(1);
  });
});
