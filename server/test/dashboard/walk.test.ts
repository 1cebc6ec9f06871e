import { PNG } from "pngjs";
import { type Browser, type BrowserContext, type Locator, type Page, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { PASSWORD } from "../support/pages/page-user.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { runProgram } from "../support/machine/run-program.ts";
import { PATIENCE } from "../support/until.ts";
import { HAS_VARIANTS } from "../support/variants.ts";

/** Time limit for each step, which uses real browsers and screens. */
const STEP_MS = 20_000 * PATIENCE;

/** The headless shell needs half of Chromium's processor time. */
const USER_BROWSER = HAS_VARIANTS ? "/usr/bin/chromium" : "/usr/lib/chromium/chromium-headless-shell";

let server: RealServer;
/** The user's web browser. */
let userBrowser: Browser;

beforeAll(async () => {
  const plans = { starter: { parallel: 2, unitsPerMonth: 1, maxLifetimeMinutes: 60, selfService: true } };
  server = await startServer({ plans });
  userBrowser = await chromium.launch({ executablePath: USER_BROWSER, args: ["--no-sandbox"] });
});
afterAll(async () => {
  await userBrowser.close();
  await server[Symbol.asyncDispose]();
});

/** Runs the first curl program of the quick start, as if pasted into a shell. @returns Its output. */
async function paste(page: Page, token: string): Promise<string> {
  const program = await page.locator("pre code").filter({ hasText: "Browser/Open" }).first().innerText();
  return runProgram("bash", ["-c", program], { RBS_TOKEN: token });
}

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Returns whether a picture has several colours, as a browser window does. */
async function showsSomething(picture: Locator): Promise<boolean> {
  const { data } = PNG.sync.read(await picture.screenshot());
  const colours = new Set<number>();
  for (let at = 0; at < data.length; at += 4 * 97) colours.add(data.readUInt32BE(at));
  return colours.size > 2;
}

async function signUp(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  await page.goto(server.url.href);
  await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Sign up" }).click();
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Browsers" }).waitFor();
  return page;
}

test("a user signs up, watches and controls a first browser, and uses up the plan's units", async () => {
  const context = await userBrowser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await signUp(context);

  await page.getByRole("main").getByRole("link", { name: /plan/ }).first().click();
  await page.getByRole("radio", { name: "starter" }).check();
  await page.getByRole("button", { name: "Save plan" }).click();
  await expect.poll(() => page.getByRole("main").innerText()).toContain("Your plan is starter");

  await goTo(page, "Tokens");
  await page.getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await page.locator("#token").innerText();
  expect(token).toMatch(/^rbs_[\w-]{43}$/);

  await goTo(page, "Quick start");
  const watching = await context.newPage();
  watching.setDefaultTimeout(STEP_MS);
  await watching.goto(new URL("/dashboard", server.url).href);
  expect(await watching.getByText("quick start", { exact: true }).count()).toBe(0);
  expect(await paste(page, token)).toContain('"status":200');

  // The browser's card and picture appear without a reload.
  const card = watching.getByRole("listitem").filter({ has: watching.getByRole("heading", { name: "quick start" }) });
  await card.waitFor();
  await expect.poll(() => showsSomething(card.locator("img")), { timeout: STEP_MS }).toBe(true);

  const opening = context.waitForEvent("page");
  await card.getByRole("button", { name: /Open desktop/ }).click();
  const desktop = await opening;
  await expect.poll(() => desktop.getByRole("status").innerText(), { timeout: STEP_MS }).toBe("Connected");
  await card.getByText("1 client").waitFor();

  // The browser has used the plan's only unit.
  expect(await paste(page, token)).toContain('"name":"NoUnits"');

  await card.getByText("Close…").click();
  await card.getByRole("button", { name: "Close it" }).click();
  await card.waitFor({ state: "detached" });
  await expect.poll(() => desktop.getByRole("status").innerText(), { timeout: STEP_MS }).not.toBe("Connected");

  await goTo(page, "Usage");
  expect(await page.getByRole("main").innerText()).toMatch(/\b1\b[^\d]*of[^\d]*1\b/);
  await goTo(page, "History");
  expect(await page.getByRole("main").innerText()).toContain("quick start");

  await goTo(page, "Settings");
  await page.getByRole("button", { name: "Turn on additional units" }).click();
  await page.getByRole("button", { name: "Turn off additional units" }).waitFor();
  await goTo(page, "Quick start");
  expect(await paste(page, token)).toContain('"status":200');
  await goTo(page, "Usage");
  expect(await page.getByRole("main").innerText()).toContain("1 additional unit");

  await context.close();
  for (const address of await server.addresses(token)) await server.close(address, token);
  await expectNothingHeld(server);
  expect(server.output.stdout + server.output.stderr).not.toContain(token);
});
