import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../support/servers/fake-service.ts";
import { checkPage } from "../support/pages/check-page.ts";
import { type PageUser, signIn, signUp } from "../support/pages/page-user.ts";
import { openSignedInPage, collectErrors } from "../support/pages/signed-in-page.ts";

let fake: FakeService;
let userBrowser: Browser;
/** A user who has just signed up. */
let user: PageUser;
let context: BrowserContext;
let page: Page;
let pageErrors: string[];
/** The user's role, which is part of screenshots' names. */
let role: string;

beforeAll(async () => {
  fake = await startFakeService();
  user = await signUp(fake.service.url, "somebody@example.com");
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await userBrowser.close();
  await fake[Symbol.asyncDispose]();
});

/** Uses one page for all tests in a group. The page must not report errors. */
function onOnePage(name: string, enterPage: () => Promise<Page>): void {
  beforeAll(async () => {
    role = name;
    context = await userBrowser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await enterPage();
    pageErrors = [];
    collectErrors(page, pageErrors);
  });
  beforeEach(() => expect(pageErrors).toEqual([]));
  afterAll(async () => {
    await context.close();
    expect(pageErrors).toEqual([]);
  });
}

const at = (path: string): string => new URL(path, fake.service.url).href;

/** Opens a page, expands all its details elements, and checks the page. */
async function check(path: string): Promise<void> {
  await page.goto(at(path));
  await expectFine(path);
}

async function expectFine(name: string): Promise<void> {
  for (const summary of await page.locator("summary:visible").all()) await summary.click();
  expect(await checkPage(page, (role + name).replaceAll(/\W+/g, "-"))).toEqual([]);
}

describe("signed out, these pages are accessible:", () => {
  onOnePage("visitor", () => context.newPage());

  test.each(["/", "/account-deleted", "/no-such-page"])("%s", check);
});

describe("after sign-up, these pages are accessible:", () => {
  onOnePage("member", () => openSignedInPage(context, fake.service.url, user));

  test.each([
    "/",
    "/dashboard",
    "/dashboard/open",
    "/dashboard/usage",
    "/dashboard/history",
    "/dashboard/tokens",
    "/dashboard/quick-start",
    "/dashboard/no-such-page",
  ])("%s", check);
});

describe("with a plan, these pages are accessible:", () => {
  onOnePage("planned", async () => {
    const { email = "", password = "" } = fake.service.firstAccount ?? {};
    return openSignedInPage(context, fake.service.url, await signIn(fake.service.url, email, password));
  });

  test.each(["/dashboard/open"])("%s", check);

  test.each([{ KeepOpen: "soon", "Proxy.Host": "h", "Proxy.Port": "0" }, { Args: "--gpu-launcher=x" }])(
    "the page that opens a browser, with errors for %o",
    async (wrong: Record<string, string>) => {
      await page.goto(at("/dashboard/open"));
      for (const [name, value] of Object.entries(wrong)) await page.locator(`[name="${name}"]`).fill(value);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.locator("[aria-invalid=true]").first().waitFor();
      await expectFine(`/open-faults-${Object.keys(wrong).join("-")}`);
    },
  );

  test.each(["/dashboard", "/dashboard/settings", "/operator"])(
    "on a narrow screen, %s is scrolled to its top, and the navigation to the current entry",
    async (path) => {
      await page.setViewportSize({ width: 390, height: 500 });
      await page.goto(at(path));
      const [around, entry] = await Promise.all(
        [".side ul", ".side [aria-current]"].map((selector) => page.locator(selector).boundingBox()),
      );
      expect(entry?.x).toBeGreaterThanOrEqual(around?.x ?? Infinity);
      expect((entry?.x ?? Infinity) + (entry?.width ?? 0)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
      expect(await page.evaluate("[scrollX, scrollY]")).toEqual([0, 0]);
    },
  );
});
