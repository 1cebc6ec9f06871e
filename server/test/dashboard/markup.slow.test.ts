import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOKEN_FIELD, toFormToken } from "../../src/web/kit/form-token.ts";
import { type DashboardRig, pagesOf, startDashboardRig } from "../support/pages/dashboard-rig.ts";
import { newPageUser, type PageUser, type PageResponse } from "../support/pages/page-user.ts";
import { openSignedInPage, collectErrors } from "../support/pages/signed-in-page.ts";

/** If not escaped, the text becomes an element or, in an attribute's value, an additional attribute. */
const MARKUP = `" onfocus="alert(1)" autofocus><img src=x onerror=alert(1)>`;
const IS_MARKUP = /" onfocus=|<img[ /]src=x/;
const EMAIL = `"<img/src=x/onerror=alert(1)>"@example.com`;
const PROXY = { "Proxy.Host": "proxy.example", "Proxy.Port": "8080" };

let rig: DashboardRig;
/** An operator who enters the markup. */
let anna: { user: PageUser; id: string };
let userBrowser: Browser;

beforeAll(async () => {
  rig = await startDashboardRig();
  await rig.services.accounts.createFirst();
  anna = await rig.newMember(EMAIL, { isOperator: true });
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await userBrowser.close();
  await rig[Symbol.asyncDispose]();
});

function expectText(path: string, { status, headers, text }: PageResponse): void {
  expect([path, status < 500 || status === 503]).toEqual([path, true]);
  if (!(headers.get("content-type") ?? "").startsWith("text/html")) return;
  expect([path, IS_MARKUP.exec(text)?.[0]]).toEqual([path, undefined]);
}

/**
 * Returns the paths of all pages, with the id of an account or a browser filled in. Streams are omitted because they
 * don't end.
 */
async function allPaths(method: "GET" | "POST", accountId: string): Promise<string[]> {
  const browserId = [...rig.services.localBrowsers.all()][0]?.id ?? "none";
  return pagesOf(rig, method)
    .filter((route) => !route.endsWith("/events"))
    .map((route) => route.replace(/:\w+/, route.includes("/browsers/") ? browserId : accountId));
}

async function expectTextEverywhere(headers: Record<string, string> = {}): Promise<void> {
  for (const path of await allPaths("GET", anna.id)) {
    const seen = await anna.user.get(path, headers);
    expectText(path, seen);
    // The page must not redirect to the sign-in page.
    expect([path, seen.headers.get("location") ?? ""]).not.toEqual([path, expect.stringContaining("sign-in")]);
  }
}

/** Submits the form that opens a browser. @returns The page with the errors if the form was rejected. */
async function send(fields: Record<string, string>): Promise<PageResponse> {
  await anna.user.get("/dashboard/open");
  return anna.user.post("/dashboard/open", { KeepOpen: "600", ...fields });
}

async function closeAll(): Promise<void> {
  for (const browser of [...rig.services.localBrowsers.all()]) await browser.close("requested");
  expect([...rig.services.localBrowsers.all()]).toEqual([]);
}

describe("markup is shown as text on every page", () => {
  test("in the user agent of any request", async () => {
    const { id } = await rig.newMember("target@example.com");
    await send({});
    const headers = { "User-Agent": MARKUP };
    await expectTextEverywhere(headers);
    // The forms end this user's sessions and remove their password and rights.
    const doer = await rig.newMember("doer@example.com", { isOperator: true });
    const account = await rig.accountOf(doer.id);
    const paths = await allPaths("POST", id);
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) {
      // Each form needs its own session, because some forms end the session.
      const secret = await rig.services.auth.sessions.begin(account);
      const Cookie = `rbs_session_${rig.url.port}=${secret}`;
      const fields = { [TOKEN_FIELD]: toFormToken(secret), email: "x", password: "x", name: "x" };
      expectText(path, await newPageUser(rig.url).post(path, fields, { ...headers, Cookie }));
    }
    await expectTextEverywhere();
    await closeAll();
  });

  test.each(
    Object.entries({
      "the user agent": { Args: `--user-agent=${MARKUP}` },
      "the proxy's user name": { ...PROXY, "Proxy.Username": MARKUP },
      "the proxy's password": { ...PROXY, "Proxy.Username": "user", "Proxy.Password": MARKUP },
      "the label": { Label: MARKUP },
    }),
  )("in %s of an open browser", async (_, fields) => {
    const { status, headers } = await send(fields);
    expect([status, headers.get("location")]).toEqual([303, "/dashboard?done=opened"]);
    await expectTextEverywhere();
    await closeAll();
    await expectTextEverywhere();
  });

  test.each(
    Object.entries({
      "a user agent and another argument": { Args: `--user-agent=${MARKUP}\n--gpu-launcher=${MARKUP}` },
      "an argument": { Args: MARKUP },
      "a default argument": { IgnoredDefaultArgs: MARKUP },
      "a kind of browser": { Browser: MARKUP },
      "a Boolean": { Headless: MARKUP },
      "a number": { KeepOpen: MARKUP },
      "a label that is too long": { Label: MARKUP.repeat(20) },
      "the proxy's host": { "Proxy.Host": MARKUP, "Proxy.Port": "8080" },
      "the proxy's port": { "Proxy.Host": "proxy.example", "Proxy.Port": MARKUP },
      "the proxy's user name": { ...PROXY, "Proxy.Port": "0", "Proxy.Username": MARKUP },
      "the proxy's password": { ...PROXY, "Proxy.Password": MARKUP },
    }),
  )("in %s, which is rejected", async (_, fields) => {
    const refused = await send(fields);
    expect(refused.status).toBe(400);
    expectText("/dashboard/open", refused);
    expect([...rig.services.localBrowsers.all()]).toEqual([]);
  });
});

/** Opens a page that detects rendered markup by dialogs, policy violations and elements. */
async function openPage(): Promise<{ page: Page; expectNothing: () => Promise<void> }> {
  const context = await userBrowser.newContext({ userAgent: MARKUP });
  const page = await openSignedInPage(context, rig.url, anna.user);
  const noticed: string[] = [];
  collectErrors(page, noticed);
  page.on("dialog", (dialog) => {
    noticed.push(dialog.message());
    void dialog.dismiss();
  });
  return {
    page,
    async expectNothing() {
      const elements = await page.locator('img[src="x"], [onfocus], [onerror]').count();
      expect([page.url(), elements, noticed]).toEqual([page.url(), 0, []]);
    },
  };
}

test("in a web browser, markup doesn't run scripts or render elements", async () => {
  const { page, expectNothing } = await openPage();
  const go = async (path: string): Promise<void> => {
    await page.goto(new URL(path, rig.url).href);
    await expectNothing();
  };
  const openBy = async (fields: Record<string, string>): Promise<void> => {
    await go("/dashboard/open");
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.waitForLoadState();
    await expectNothing();
  };
  const written = { Label: MARKUP, Args: `--user-agent=${MARKUP}`, "Proxy.Username": MARKUP, "Proxy.Password": MARKUP };
  await openBy({ ...written, "Proxy.Host": MARKUP, "Proxy.Port": MARKUP });
  expect(await page.locator("[aria-invalid=true]").count()).toBeGreaterThan(0);
  await openBy({ ...written, ...PROXY });
  await page.getByRole("heading", { name: MARKUP }).waitFor();

  // The script renders this browser's card.
  await page.locator("#live", { hasText: "Live" }).waitFor();
  await send({ Label: MARKUP });
  await page.getByRole("heading", { name: MARKUP }).nth(1).waitFor();
  await expectNothing();

  await go("/dashboard/tokens");
  await page.getByLabel("Name").fill(MARKUP);
  await page.getByRole("button", { name: "Create token" }).click();
  await page.locator("#token").waitFor();
  await expectNothing();
  await closeAll();

  const encoded = encodeURIComponent(MARKUP);
  const paths = (await allPaths("GET", anna.id)).filter((path) => !/\.csv$|\/picture$/.test(path));
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) await go(path);
  await go(`/operator?search=${encoded}&behind=${encoded}`);
  for (const path of ["/dashboard", "/dashboard/settings", "/sign-in"])
    await go(`${path}?done=${encoded}&next=${encoded}`);
  await go(`/dashboard/usage?month=${encoded}`);
  await go(`/dashboard/${encoded}`);
  await page.context().close();
});
