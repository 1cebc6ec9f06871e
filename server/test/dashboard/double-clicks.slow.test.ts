import type { Locator, Page, Request } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { useFirstUser } from "../support/pages/first-user.ts";
import { PASSWORD } from "../support/pages/page-user.ts";

const first = useFirstUser();
let page: Page;
/** The paths of the forms that the server has received. */
let sent: string[];

beforeEach(async () => {
  page = await first.newPage();
  sent = [];
  page.context().on("request", (request: Request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
});

const at = (path: string): string => new URL(path, first.server.service.url).href;

/** Clicks a button twice before the server responds to the first click. */
async function doubleClick(button: Locator): Promise<void> {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  await page.context().route("**", async (route) => {
    if (route.request().method() === "POST") await done;
    // The browser may have aborted the request.
    await route.continue().catch(() => {});
  });
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const click = (clickCount: number): Promise<void> => page.mouse.click(x + width / 2, y + height / 2, { clickCount });
  // If the second click came before the browser sent the first form, the second form would replace the first.
  const sending = page.context().waitForEvent("request", (request) => request.method() === "POST");
  await click(1);
  await sending;
  await click(2);
  resolve();
}

async function isToken(token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(at("/api/v1/Browser/Get"), { headers })).status === 200;
}

test("a double click renews a token only once, and the page shows the valid token", async () => {
  await page.goto(at("/dashboard/tokens"));
  await page.locator("summary", { hasText: "Renew" }).first().click();
  await doubleClick(page.getByRole("button", { name: "Renew token" }).first());
  const shown = page.getByText(/^\s*rbs_[\w-]+\s*$/).first();
  expect(await isToken((await shown.innerText()).trim())).toBe(true);
  expect(sent).toEqual(["/dashboard/tokens/renew"]);
});

test("a double click on sign-up creates one account, and the user can sign in", async () => {
  await page.context().clearCookies();
  await page.goto(at("/sign-up"));
  await page.getByLabel("Email").fill("new@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await doubleClick(page.locator("main button[type=submit]"));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.locator("main").getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/dashboard");
  expect(sent).toEqual(["/sign-up", "/sign-in"]);
});

test("a double click opens a desktop in only one tab, and a click a second later opens another tab", async () => {
  await first.open();
  await page.goto(at("/dashboard"));
  const button = page.getByRole("button", { name: "Open desktop" });
  const opening = page.context().waitForEvent("page");
  await doubleClick(button);
  await (await opening).locator("html[data-state=connected]").waitFor();
  expect([page.context().pages().length, sent.length]).toEqual([2, 1]);
  await page.clock.install();
  await page.reload();
  for (const pages of [3, 4]) {
    const another = page.context().waitForEvent("page");
    await doubleClick(button);
    await another;
    expect(page.context().pages()).toHaveLength(pages);
    await page.clock.runFor(1000);
  }
});

test("a page restored from the back/forward cache can submit its form again", async () => {
  await page.goto(at("/dashboard/settings"));
  const button = page.locator("form[action$=additional-units] button");
  await doubleClick(button);
  await page.waitForURL("**/settings?done=*");
  await page.goBack();
  await page.waitForURL("**/settings");
  await button.click();
  await page.waitForURL("**/settings?done=*");
  expect(sent).toHaveLength(2);
});
