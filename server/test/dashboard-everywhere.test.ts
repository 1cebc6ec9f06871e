import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FakeService, startFakeService } from "./support/fake-service.ts";
import { checkPage } from "./support/check-page.ts";
import { newPageUser, type PageUser, signIn, signUp } from "./support/page-user.ts";
import { openSignedInPage, collectErrors } from "./support/signed-in-page.ts";

/** Failed attempts before the limit. */
const MAX_WRONG = 10;

let fake: FakeService;
let userBrowser: Browser;
/** A user who has just signed up. */
let user: PageUser;
let context: BrowserContext;
let page: Page;
let pageErrors: string[];
/** The kind of user, for the names of screenshots. */
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

/** One page for all tests of a group. It must not report errors. */
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

/** Opens a page and all its details elements, and checks it. */
async function check(path: string): Promise<void> {
  await page.goto(at(path));
  await expectFine(path);
}

async function expectFine(name: string): Promise<void> {
  for (const summary of await page.locator("summary:visible").all()) await summary.click();
  expect(await checkPage(page, (role + name).replaceAll(/\W+/g, "-"))).toEqual([]);
}

/** Sends an empty form from a foreign page, which is rejected. */
async function sendFromElsewhere(path: string): Promise<void> {
  await page.goto("about:blank");
  await page.setContent(`<form method="post" action="${at(path)}"><button>Send</button></form>`);
  await page.getByRole("button").click();
  await page.waitForURL(at(path));
}

describe("signed out, these pages are accessible:", () => {
  onOnePage("visitor", () => context.newPage());

  test.each(["/", "/sign-in", "/sign-up", "/account-deleted", "/no-such-page"])("%s", check);

  test("an error", async () => {
    await sendFromElsewhere("/sign-in");
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    await expectFine("/403");
  });

  test("too many attempts", async () => {
    const email = "guessed@example.com";
    for (let tries = 0; tries < MAX_WRONG; tries += 1) {
      await newPageUser(fake.service.url).post("/sign-in", { email, password: "wrong" });
    }
    await page.goto(at("/sign-in"));
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Too many attempts" }).waitFor();
    await expectFine("/429");
  });
});

describe("after sign-up, these pages are accessible:", () => {
  onOnePage("member", () => openSignedInPage(context, fake.service.url, user));

  test.each([
    "/",
    "/account-deleted",
    "/dashboard",
    "/dashboard/open",
    "/dashboard/usage",
    "/dashboard/history",
    "/dashboard/tokens",
    "/dashboard/quick-start",
    "/dashboard/settings",
    "/dashboard/no-such-page",
    "/operator",
  ])("%s", check);

  test("an error", async () => {
    await sendFromElsewhere("/dashboard/settings/plan");
    await expectFine("/403");
  });

  test("too many attempts", async () => {
    await user.get("/dashboard/settings");
    const wrong = { "current-password": "wrong", "new-password": "quite another sentence" };
    for (let tries = 0; tries < MAX_WRONG; tries += 1) await user.post("/dashboard/settings/password", wrong);
    await page.goto(at("/dashboard/settings"));
    await page.getByLabel("Current password").fill("wrong");
    await page.getByLabel("New password").fill("quite another sentence");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("heading", { name: "Too many attempts" }).waitFor();
    await expectFine("/429");
  });
});

describe("with a plan, these pages are accessible:", () => {
  onOnePage("planned", async () => {
    const { email = "", password = "" } = fake.service.firstAccount ?? {};
    return openSignedInPage(context, fake.service.url, await signIn(fake.service.url, email, password));
  });

  test.each(["/dashboard", "/dashboard/open"])("%s", check);

  test.each([{ KeepOpen: "soon", "Proxy.Host": "h", "Proxy.Port": "0" }, { Args: "--gpu-launcher=x" }])(
    "errors in the form that opens a browser with %o",
    async (wrong: Record<string, string>) => {
      await page.goto(at("/dashboard/open"));
      for (const [name, value] of Object.entries(wrong)) await page.locator(`[name="${name}"]`).fill(value);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.locator("[aria-invalid=true]").first().waitFor();
      await expectFine(`/open-faults-${Object.keys(wrong).join("-")}`);
    },
  );
});
