import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../support/servers/fake-service.ts";
import { checkPage } from "../support/pages/check-page.ts";
import { type PageUser, signIn } from "../support/pages/page-user.ts";
import { openSignedInPage } from "../support/pages/signed-in-page.ts";

const LONG = "a-person-with-quite-a-long-name.and-a-department@research.example.com";

let fake: FakeService;
let userBrowser: Browser;
let operator: PageUser;
/** Token of the account with the long name. */
let token: string;

beforeAll(async () => {
  fake = await startFakeService();
  await fake.newAccount({ email: "plain@example.com", plan: undefined });
  token = await fake.newAccount({ email: LONG, plan: "self-hosted", units: 500, parallel: 3 });
  await open({ KeepOpen: 600 });
  await open({ Headless: true, KeepOpen: 600 });
  await fetch(new URL("/readyz", fake.service.url));
  const { email, password } = fake.service.firstAccount ?? { email: "", password: "" };
  operator = await signIn(fake.service.url, email, password);
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});

afterAll(async () => {
  await userBrowser.close();
  await fake[Symbol.asyncDispose]();
});

async function open(options: object): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const { status } = await fake.send("POST", "/api/v1/Browser/Open", JSON.stringify(options), headers);
  expect(status).toBe(200);
}

/** Opens the overview in a new context. */
async function openOverview(): Promise<Page> {
  const page = await openSignedInPage(
    await userBrowser.newContext({ viewport: { width: 1280, height: 900 } }),
    fake.service.url,
    operator,
  );
  await page.goto(new URL("/operator", fake.service.url).href);
  return page;
}

test("the operator's pages are accessible", async () => {
  const page = await openOverview();
  await page.locator("summary", { hasText: "Close" }).first().click();
  expect(await checkPage(page, "overview")).toEqual([]);
  await page.locator("table").last().getByRole("link", { name: LONG }).click();
  for (const question of await page.locator("summary").all()) await question.click();
  expect(await checkPage(page, "account")).toEqual([]);
  await page.getByLabel("Parallel browsers").fill("none");
  await page.getByRole("button", { name: "Save" }).click();
  expect(await checkPage(page, "fault")).toEqual([]);
  await page.goto(new URL("/operator/accounts/new", fake.service.url).href);
  expect(await checkPage(page, "new")).toEqual([]);
  await page.getByLabel("Email").fill("somebody@example.com");
  await page.getByRole("button", { name: "Create account" }).click();
  expect(await checkPage(page, "made")).toEqual([]);
  await page.context().close();
});

test("the overview updates without disturbing the operator's input", async () => {
  const page = await openOverview();
  const rows = page.locator("tr", { has: page.locator("details") });
  const before = await rows.count();
  await page.locator("summary", { hasText: "Close" }).first().click();
  await page.getByLabel("Email").fill("half an e-m");
  await open({ Headless: true, KeepOpen: 600 });
  await rows.nth(before).waitFor();
  expect(await page.locator("details").first().getAttribute("open")).not.toBeNull();
  expect(await page.getByLabel("Email").inputValue()).toBe("half an e-m");
  expect(await page.locator(".figure").textContent()).toMatch(new RegExp(`^${before + 1} of `));
  await page.context().close();
});
