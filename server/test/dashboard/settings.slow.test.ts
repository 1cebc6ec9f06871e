import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../support/servers/fake-service.ts";
import { checkPage } from "../support/pages/check-page.ts";
import { PASSWORD } from "../support/pages/page-user.ts";

const PLANS = {
  starter: { parallel: 2, unitsPerMonth: 1, maxLifetimeMinutes: 60, selfService: true },
  "a-plan-with-quite-a-long-name-that-has-to-fit-on-a-narrow-screen": { parallel: 20, selfService: true },
};

let folder: string;
let fake: FakeService;
let userBrowser: Browser;
let made = 0;
/** Script errors from all pages. */
const pageErrors: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-test-"));
  await writeFile(join(folder, "plans.json"), JSON.stringify(PLANS));
  fake = await startFakeService({ RBS_PLANS: join(folder, "plans.json") });
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterEach(expectNoPageErrors);
afterAll(async () => {
  await userBrowser.close();
  await fake[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function expectNoPageErrors(): void {
  expect(pageErrors).toEqual([]);
}

async function visit(path: string): Promise<Page> {
  const context = await userBrowser.newContext();
  const page = await context.newPage();
  page.on("pageerror", (error) => pageErrors.push(String(error)));
  page.on("console", (message) => {
    if (/uncaught/i.test(message.text())) pageErrors.push(message.text());
  });
  await page.goto(new URL(path, fake.service.url).href);
  return page;
}

const send = (page: Page, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

/** Signs up and opens the settings. @returns The email. */
async function signUp(page: Page): Promise<string> {
  made += 1;
  const email = `person${made}@example.com`;
  await page.goto(new URL("/sign-up", fake.service.url).href);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.locator("main").getByRole("button", { name: "Sign up" }).click();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.locator("main").getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/dashboard");
  await page.getByRole("link", { name: "Settings" }).click();
  return email;
}

test("the sign-in and settings pages are accessible, even with errors", async () => {
  const page = await visit("/sign-in");
  expect(await checkPage(page, "sign-in")).toEqual([]);
  await page.getByLabel("Email").fill("somebody@example.com");
  await page.getByLabel("Password").fill("not this one");
  await page.locator("main").getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  expect(await checkPage(page, "sign-in-fault")).toEqual([]);

  await page.goto(new URL("/sign-up", fake.service.url).href);
  expect(await checkPage(page, "sign-up")).toEqual([]);
  await page.getByLabel("Email").fill("somebody@example.com");
  await page.getByLabel("Password").fill("aaaaaaaaaaaaaa");
  await page.locator("main").getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("alert").waitFor();
  expect(await checkPage(page, "sign-up-fault")).toEqual([]);

  await signUp(page);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  expect(await checkPage(page, "settings-new")).toEqual([]);
  await page.getByLabel("starter").check();
  await send(page, "Save plan");
  await page.getByRole("status").waitFor();
  await page.getByLabel("Key", { exact: true }).fill("sk-of-mine");
  await send(page, "Set key");
  await page.getByText("own key set").waitFor();
  await page.getByText("Remove your key…").click();
  await page.getByText("Delete this account…").click();
  expect(await checkPage(page, "settings")).toEqual([]);
  await page.getByLabel("To confirm").fill("somebody@else.example");
  await page.locator("#delete-password").fill(PASSWORD);
  await send(page, "Delete account");
  await page.getByRole("alert").waitFor();
  expect(await checkPage(page, "settings-fault")).toEqual([]);
  await page.context().close();
});

test("a user can sign up and delete the account by keyboard alone, without scripts", async () => {
  const context = await userBrowser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const email = await signUp(page);
  const press = async (id: string, ...keys: string[]): Promise<void> => {
    await page.locator(id).focus();
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("#plan-starter", "Space", "Enter");
  await page.getByRole("status").waitFor();
  expect(await page.getByRole("radio", { name: "starter" }).isChecked()).toBe(true);

  await press("#current-password");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Tab");
  await page.keyboard.type("quite another sentence");
  await page.keyboard.press("Enter");
  await page.getByRole("status").waitFor();

  await press("section[aria-labelledby=delete] summary", "Enter", "Tab");
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("quite another sentence");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Account deleted" }).waitFor();
  expect(await context.cookies()).toEqual([]);
  await context.close();
});

test("another site can neither submit forms for a signed-in user nor embed pages", async () => {
  const page = await visit("/sign-up");
  await signUp(page);
  // Another port on the same host belongs to the same site for cookies, but is another origin for everything else.
  const target = new URL("/dashboard/settings/additional-units", fake.service.url).href;
  const evil = `<form method=post action="${target}"><input name="additional-units" value="on"><button>x</button></form>
    <iframe src="${new URL("/dashboard/settings", fake.service.url).href}"></iframe>`;
  await page.route("http://127.0.0.1:1/", (route) => route.fulfill({ contentType: "text/html", body: evil }));
  await page.goto("http://127.0.0.1:1/");
  const framed = await page.frames()[1]?.content();
  expect(framed ?? "").not.toContain("Settings");
  const [answer] = await Promise.all([page.waitForResponse(target), page.getByRole("button", { name: "x" }).click()]);
  expect(answer.status()).toBe(403);
  await page.goto(new URL("/dashboard/settings", fake.service.url).href);
  await page.getByRole("button", { name: "Turn on additional units" }).waitFor();
  await page.context().close();
});
