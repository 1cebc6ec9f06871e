import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSignedInPage, collectErrors } from "./support/signed-in-page.ts";
import { connectDevtools } from "./support/devtools-client.ts";
import { type FakeService, startFakeService } from "./support/fake-service.ts";
import { checkPage } from "./support/check-page.ts";
import { PASSWORD, type PageUser, signIn } from "./support/page-user.ts";
import { until } from "./support/until.ts";

/** A new picture and a reconnect take some seconds. */
const PATIENCE_MS = 15_000;
const MANY_TAGS = Array.from({ length: 20 }, (_, index) => `${index}-${"tag".repeat(40)}`);
let server: FakeService;
let user: PageUser;
/** The user's web browser, which shows the dashboard. */
let userBrowser: Browser;
/** Script errors and violations of the content security policy. */
let pageErrors: string[];

beforeAll(async () => {
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(() => userBrowser.close());
beforeEach(async () => {
  pageErrors = [];
  server = await startFakeService();
  const { email, password } = server.service.firstAccount ?? { email: "", password: PASSWORD };
  user = await signIn(server.service.url, email, password);
});
afterEach(async () => {
  await Promise.all(userBrowser.contexts().map((context) => context.close()));
  await server[Symbol.asyncDispose]();
  expectNoPageErrors();
});

function expectNoPageErrors(): void {
  expect(pageErrors).toEqual([]);
}

async function visit(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await userBrowser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await openSignedInPage(context, server.service.url, user);
  collectErrors(page, pageErrors);
  await page.goto(new URL("/dashboard", server.service.url).href);
  if (options.javaScriptEnabled !== false) await untilLive(page);
  return page;
}

async function untilLive(page: Page): Promise<void> {
  await page.locator("#live", { hasText: "Live" }).waitFor({ timeout: PATIENCE_MS });
}

/** Opens a browser by the API. @returns Its address. */
async function open(options: object = {}): Promise<string> {
  const { status, body } = await server.post("/api/v1/Browser/Open", { KeepOpen: 600, ...options });
  expect(status).toBe(200);
  return String(body["address"]);
}

async function close(address: string): Promise<void> {
  await server.post("/api/v1/Browser/Close", { address });
}

/** Changes the user's own plan, which the user may do as an operator. */
async function choosePlan(plan: string): Promise<void> {
  const { text } = await user.get("/operator");
  const [path = ""] = /\/operator\/accounts\/(?!new)[\w-]+/.exec(text) ?? [];
  const { status } = await user.post(`${path}/terms`, { plan });
  expect(status).toBe(303);
}

describe("the page follows automatically", () => {
  test("when browsers open, get clients, start a desktop and close", async () => {
    const page = await visit();
    await page.getByText("No open browsers").waitFor();
    const address = await open({ Label: "nightly" });
    const card = page.locator(".browser", { hasText: "nightly" });
    await card.waitFor();
    expect(await page.getByText("No open browsers").count()).toBe(0);
    const client = await connectDevtools(address);
    await card.getByText("1 client").waitFor();
    await client[Symbol.asyncDispose]();
    await card.getByText("No clients").waitFor();
    await server.post("/api/v1/Browser/StartRemoteDesktop", { address });
    await card.getByText("Desktop on").waitFor();
    await close(address);
    await page.getByText("No open browsers").waitFor();
  });

  test("when the plan is removed and restored, together with the button to open a browser", async () => {
    await open({ Label: "one that stays" });
    const address = await open();
    const page = await visit();
    const offer = page.locator("#offer").getByRole("link", { name: "Open a browser" });
    expect(await offer.isVisible()).toBe(true);
    await choosePlan("none");
    await close(address);
    await page.getByText("Choose a plan to start").waitFor();
    expect(await page.getByRole("link", { name: "Open a browser" }).count()).toBe(0);
    await choosePlan("self-hosted");
    await open({ Label: "again" });
    await page.locator(".browser", { hasText: "again" }).waitFor();
    expect(await offer.isVisible()).toBe(true);
  });

  test("and keeps focus, open details and shown elements", async () => {
    const first = await open({ Label: "first" });
    await open({ Label: "second" });
    const page = await visit();
    const second = page.locator(".browser", { hasText: "second" });
    await second.locator(".ask summary").click();
    await second.locator(".details summary").click();
    const button = second.getByRole("button", { name: "Close it" });
    await button.focus();
    await page.evaluate("void (globalThis.card = document.activeElement.closest('.browser'))");
    await close(first);
    await open({ Label: "third" });
    await page.locator(".browser", { hasText: "third" }).waitFor();
    await page.locator(".browser", { hasText: "first" }).waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Close it");
    expect(await second.locator("details[open]").count()).toBe(2);
    expect(await page.evaluate("document.activeElement.closest('.browser') === card")).toBe(true);
  });

  test("and moves the focus of a removed card to the list", async () => {
    const address = await open();
    const page = await visit();
    await page.locator(".ask summary").focus();
    await close(address);
    await page.getByText("No open browsers").waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("browsers");
  });

  test("and counts down the remaining time every second", async () => {
    await open({ KeepOpen: 55 });
    const page = await visit();
    const left = page.locator("[data-closes-at]");
    const seconds = async (): Promise<number> => Number.parseInt(await left.innerText(), 10);
    const first = await seconds();
    expect(first).toBeGreaterThan(40);
    await until(seconds, (now) => now <= first - 2);
  });

  test("and reconnects when its stream has ended", async () => {
    const page = await visit();
    const ended = { contentType: "text/event-stream", body: "retry: 100\n\n" };
    await page.route("**/dashboard/events", (route) => route.fulfill(ended));
    await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator("#live", { hasText: "Reconnecting…" }).waitFor();
    await open({ Label: "meanwhile" });
    await page.unroute("**/dashboard/events");
    await untilLive(page);
    expect(await page.locator(".browser", { hasText: "meanwhile" }).count()).toBe(1);
  });

  test("except in too many windows: the oldest pauses, and says so, until it has focus again", async () => {
    const context = await userBrowser.newContext();
    await context.addInitScript(`{
      globalThis.sources = [];
      globalThis.EventSource = class extends EventSource {
        constructor(url) {
          super(url);
          sources.push(this);
        }
      };
    }`);
    const page = await openSignedInPage(context, server.service.url, user);
    collectErrors(page, pageErrors);
    const url = new URL("/dashboard/events", server.service.url);
    await page.goto(new URL("/dashboard", server.service.url).href);
    await untilLive(page);
    const leaving = new AbortController();
    for (let count = 0; count < 10; count += 1) {
      await fetch(url, { headers: { Cookie: user.cookies() }, signal: leaving.signal });
    }
    await page.locator("#live", { hasText: "Paused: too many windows are open" }).waitFor();
    expect(await page.evaluate("sources.map(({ readyState }) => readyState)")).toEqual([2]);
    await open({ Label: "meanwhile" });
    await page.evaluate("void dispatchEvent(new Event('focus'))");
    await untilLive(page);
    leaving.abort();
    await page.locator(".browser", { hasText: "meanwhile" }).waitFor();
  });

  test("and shows the sign-in page to a user who has signed out elsewhere", async () => {
    const page = await visit();
    await user.post("/sign-out");
    await open();
    await page.waitForURL(/\/sign-in/);
    expect(new URL(page.url()).search).toBe("?next=%2Fdashboard");
  });

  test("but not in a hidden window, which catches up when it is visible again", async () => {
    const page = await visit();
    const show = (state: string): Promise<unknown> =>
      page.evaluate(`{
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" });
        document.dispatchEvent(new Event("visibilitychange"));
      }`);
    const isStream = (request: Request): boolean => new URL(request.url()).pathname === "/dashboard/events";
    const ended = page.waitForEvent("requestfailed", isStream);
    await show("hidden");
    await ended;
    await open({ Label: "meanwhile" });
    const begun = page.waitForRequest(isStream);
    await show("visible");
    await begun;
    await page.locator(".browser", { hasText: "meanwhile" }).waitFor();
    expect(await page.locator(".browser").count()).toBe(1);
  });

  test("and keeps the last list when the server stops", async () => {
    await open({ Label: "last" });
    const page = await visit();
    await server.service.stop();
    await page.locator("#live", { hasText: "Reconnecting…" }).waitFor();
    expect(await page.locator(".browser").count()).toBe(1);
  });
});

describe("pictures", () => {
  const isShown = (page: Page) => page.evaluate("document.querySelector('.shot img').naturalWidth > 0");

  test("are replaced without flicker, also during other updates, and show their age", async () => {
    await open();
    const page = await visit();
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
    const first = await source();
    await open({ Label: "another" });
    await page.locator(".browser", { hasText: "another" }).waitFor();
    await until(source, (now) => now !== first, PATIENCE_MS);
    expect(await page.evaluate("gaps")).toBe(0);
    expect(await page.locator(".age").first().innerText()).toMatch(/^Picture taken\s+\d+ s ago$/);
  });

  test("have a placeholder until one can be captured", async () => {
    await open();
    const page = await visit();
    await page.route("**/picture*", (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.locator(".shot[data-missing]").waitFor();
    expect(await page.getByText("No picture yet").isVisible()).toBe(true);
    await page.unroute("**/picture*");
    await page.locator(".shot:not([data-missing])").waitFor({ timeout: PATIENCE_MS });
    expect(await isShown(page)).toBe(true);
  });
});

describe("the buttons of a card", () => {
  test("open its desktop with one click, in a new tab", async () => {
    await open();
    const page = await visit();
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
    "close it after a confirmation, by keyboard alone, with scripts: %s",
    async (javaScriptEnabled) => {
      await open({ Label: "nightly" });
      const page = await visit({ javaScriptEnabled });
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
  "a click extends the time of a browser that the card shows, with scripts: %s",
  async (javaScriptEnabled) => {
    await open({ KeepOpen: 55 });
    const page = await visit({ javaScriptEnabled });
    await page.getByRole("button", { name: "Extend" }).click();
    expect(await page.locator(".left").innerText()).toMatch(/^10 min/);
  },
);

test("the page is accessible", async () => {
  const page = await visit();
  expect(await checkPage(page, "browsers-none")).toEqual([]);
  const address = await open({
    Tags: ["nightly"],
    Label: "a label that goes on without a space: ".replaceAll(" ", "-").repeat(4),
  });
  await open({ Headless: true, Proxy: { Host: "proxy.example", Port: "1" }, Label: "checkout", Tags: MANY_TAGS });
  await open({ Tags: ["בדיקה לילית (1)", "x".repeat(128)], Lifetime: 60 });
  await server.post("/api/v1/Browser/StartRemoteDesktop", { address });
  await page.getByText("Desktop on").waitFor();
  await page.locator("#browsers .details summary").nth(0).click();
  await page.locator("#browsers .details summary").nth(1).click();
  await page.locator("#browsers .ask summary").nth(0).click();
  expect(await checkPage(page, "browsers")).toEqual([]);
});
