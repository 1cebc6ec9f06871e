import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addEndedBrowsers } from "../../../bench/src/subjects/databases/ended-browsers.ts";
import { type FakeService, startFakeService } from "../support/servers/fake-service.ts";
import { checkPage } from "../support/pages/check-page.ts";
import { type PageUser, signIn } from "../support/pages/page-user.ts";
import { openSignedInPage } from "../support/pages/signed-in-page.ts";

const MONTH = "2024-02";
const LABEL = `<img src=x onerror=alert(1)> a label that is long, with ${"a-word-that-breaks-nowhere".repeat(6)}`;

const TAG = "בדיקה לילית (1)";

let fake: FakeService;
let userBrowser: Browser;
let user: PageUser;
/** Console messages from all pages. The browser itself logs pages that fail to load. */
let pageErrors: string[] = [];

beforeAll(async () => {
  fake = await startFakeService();
  const owner = fake.service.firstAccount ?? { email: "", password: "" };
  const accountId = fake.accountIdOf(owner.email);
  addEndedBrowsers({ file: fake.database, accountId, period: MONTH, count: 600 });
  const database = new DatabaseSync(fake.database, { timeout: 5000 });
  // Puts the account over its limit in the current month.
  database.prepare("update accounts set units = 0, additional_units = 1, parallel = 3 where id = ?").run(accountId);
  database.prepare("update ended_browsers set label = ? where rowid % 3 = 0").run(LABEL);
  database.prepare("update ended_browsers set tags = ? where rowid % 3 = 1").run(JSON.stringify(["nightly", TAG]));
  const many = Array.from({ length: 20 }, (_, index) => `${index}-${"tag".repeat(40)}`);
  database.prepare("update ended_browsers set tags = ? where rowid = 598").run(JSON.stringify(many));
  database.close();
  await fake.post("/api/v1/Browser/Open", { KeepOpen: 600 });
  user = await signIn(fake.service.url, owner.email, owner.password);
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await userBrowser.close();
  await fake[Symbol.asyncDispose]();
});

/** Closes all contexts and checks that their pages had no errors. */
async function expectNoPageErrors(context: BrowserContext): Promise<void> {
  await context.close();
  const unexpected = pageErrors.filter((one) => !/status of 400/.test(one));
  pageErrors = [];
  expect(unexpected).toEqual([]);
}

/** Opens a page on which the account's user is signed in. */
async function openPage(width: number): Promise<{ context: BrowserContext; page: Page }> {
  const context = await userBrowser.newContext({ viewport: { width, height: 900 }, acceptDownloads: true });
  const page = await openSignedInPage(context, fake.service.url, user);
  page.on("pageerror", (error) => pageErrors.push(String(error)));
  page.on("console", (message) => pageErrors.push(message.text()));
  return { context, page };
}

test("usage and history are accessible", async () => {
  const { context, page } = await openPage(1280);
  const pages = {
    "usage-now": "/dashboard/usage",
    "usage-full": `/dashboard/usage?month=${MONTH}`,
    "usage-empty": "/dashboard/usage?month=2023-01",
    "usage-refused": "/dashboard/usage?month=x",
    history: "/dashboard/history",
    "history-filtered": `/dashboard/history?tag=${encodeURIComponent(TAG)}`,
    "history-none": `/dashboard/history?label=${encodeURIComponent(LABEL)}&tag=x`,
  };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(new URL(path, fake.service.url).href);
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await checkPage(page, name)).toEqual([]);
  }
  await expectNoPageErrors(context);
});

test("bars and steps are drawn to scale at any width", async () => {
  const { context, page } = await openPage(390);
  await page.goto(new URL(`/dashboard/usage?month=${MONTH}`, fake.service.url).href);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const plot = await page.locator("svg.plot").first().boundingBox();
    const bars = await page.locator("rect.day").all();
    expect(bars).toHaveLength(29);
    const boxes = await Promise.all(bars.map((bar) => bar.boundingBox()));
    for (const [day, box] of boxes.entries()) {
      const middle = ((box?.x ?? 0) + (box?.width ?? 0) / 2 - (plot?.x ?? 0)) / (plot?.width ?? 1);
      expect(middle).toBeCloseTo((day + 0.5) / 29, 2);
      expect(box?.height).toBeGreaterThan(0);
    }
    const area = await page.locator("path.area").boundingBox();
    // For a past month, the steps span the whole plot.
    expect((area?.width ?? 0) / (plot?.width ?? 1)).toBeGreaterThan(0.97);
  }
  const fill = await page.evaluate("getComputedStyle(document.querySelector('rect.day')).fill");
  expect(fill).not.toBe("rgb(0, 0, 0)");
  await expectNoPageErrors(context);
});

test("links download a file and open other months", async () => {
  const { context, page } = await openPage(1280);
  await page.goto(new URL(`/dashboard/usage?month=${MONTH}`, fake.service.url).href);
  const link = page.getByRole("link", { name: "Browsers" }).last();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe(`browsers-${MONTH}.csv`);
  expect(readFileSync(await download.path(), "utf8").split("\r\n").length).toBe(1 + 600 + 1);
  await page.getByRole("link", { name: "March 2024" }).click();
  expect(await page.getByRole("heading", { level: 2 }).first().textContent()).toBe("March 2024");
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "History" }).click();
  await page.getByRole("link", { name: "Older" }).click();
  expect(await page.locator("tbody tr").count()).toBe(50);
  await page.getByRole("link", { name: "Newest" }).click();
  expect(new URL(page.url()).search).toBe("");
  await expectNoPageErrors(context);
});
