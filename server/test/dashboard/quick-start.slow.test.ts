import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { TOOLS } from "../../src/web/dashboard/quick-start/quick-start-view.ts";
import { type FakeService, startFakeService } from "../support/servers/fake-service.ts";
import { checkPage } from "../support/pages/check-page.ts";
import { type PageUser, signIn } from "../support/pages/page-user.ts";
import { openSignedInPage } from "../support/pages/signed-in-page.ts";

const TOKENS = "/dashboard/tokens";
const QUICK_START = "/dashboard/quick-start";

let fake: FakeService;
let userBrowser: Browser;
let user: PageUser;

beforeAll(async () => {
  fake = await startFakeService();
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const { email, password } = fake.service.firstAccount ?? { email: "", password: "" };
  user = await signIn(fake.service.url, email, password);
});
afterEach(async () => {
  await Promise.all(userBrowser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await userBrowser.close();
  await fake[Symbol.asyncDispose]();
});

/** Opens a page as the operator. @returns The page, and a list that collects the page's errors. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; failed: string[] }> {
  const permissions = ["clipboard-read", "clipboard-write"];
  const viewport = { width: 1280, height: 900 };
  const context = await userBrowser.newContext({ viewport, permissions, ...options });
  const page = await openSignedInPage(context, fake.service.url, user);
  const failed: string[] = [];
  page.on("console", (message) => message.type() === "error" && failed.push(message.text()));
  page.on("pageerror", (error) => failed.push(error.message));
  await page.goto(new URL(path, fake.service.url).href);
  return { page, failed };
}

async function createToken(page: Page, name: string): Promise<string> {
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create token" }).click();
  return page.locator("#token").innerText();
}

const isTooWide = (page: Page): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth > innerWidth");

const readClipboard = (page: Page): Promise<string> => page.evaluate("navigator.clipboard.readText()");

test("the token pages are accessible", async () => {
  const { page, failed } = await open(TOKENS);
  const name = "a rather long name that precisely describes the program";
  await createToken(page, name);
  expect(await checkPage(page, "token-new")).toEqual([]);
  await page.getByRole("link", { name: "All tokens" }).click();
  await page.locator("summary", { hasText: `Revoke the token ${name}` }).click();
  expect(await checkPage(page, "tokens")).toEqual([]);
  expect(failed).toEqual([]);
  await page.getByLabel("Name").fill("\u{202E}");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText("Enter a name for the token").waitFor();
  expect(await checkPage(page, "tokens-fault")).toEqual([]);
});

test("the quick start is accessible, whichever tool is selected", async () => {
  const { page, failed } = await open(QUICK_START);
  expect(await checkPage(page, "quick-start")).toEqual([]);
  for (const { id, name } of TOOLS) {
    await page.getByRole("radio", { name, exact: true }).check();
    await page.locator(`#${id}-program`).waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect({ id, width, isTooWide: await isTooWide(page) }).toEqual({ id, width, isTooWide: false });
    }
  }
  expect(await checkPage(page, "quick-start-other")).toEqual([]);
  expect(failed).toEqual([]);
});

test("arrow keys select a tool, and only its steps are shown", async () => {
  const { page } = await open(QUICK_START);
  await page.getByRole("radio", { name: "curl" }).focus();
  for (const { id, name } of [...TOOLS.slice(1), TOOLS[0]]) {
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".way:visible h3").allInnerTexts()).toEqual([name]);
    expect(await page.locator("input:checked").getAttribute("value")).toBe(id);
  }
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe(
    "Copy Open a browser that stays open for 5 minutes without a client",
  );
});

test("a tool can be selected without JavaScript", async () => {
  const { page } = await open(QUICK_START, { javaScriptEnabled: false });
  await page.getByRole("radio", { name: "Go client" }).check();
  await page.locator("#go-program").waitFor();
  expect(await page.locator("#curl-program").isVisible()).toBe(false);
});

test("the Copy button copies a program unchanged, confirms the copy, and can be used again", async () => {
  const { page } = await open(`${QUICK_START}?with=python`);
  const button = page.getByRole("button", { name: "Copy quick_start.py" }).filter({ visible: true });
  await button.click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await readClipboard(page)).toBe(await page.locator("#python-program").textContent());
  await button.waitFor();
});

test("a new token can be copied and used, and a reload hides it without creating another", async () => {
  const { page } = await open(TOKENS);
  const before = await page.locator(".tokens tbody tr").count();
  const token = await createToken(page, "copied");
  await page.getByRole("button", { name: "Copy the token" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await readClipboard(page)).toBe(token);
  const headers = { Authorization: `Bearer ${token}` };
  expect((await fake.send("GET", "/api/v1/Browser/Get", undefined, headers)).status).toBe(200);
  await page.reload();
  expect(await page.locator(".tokens tbody tr").count()).toBe(before + 1);
  expect(await page.content()).not.toContain(token);
});
