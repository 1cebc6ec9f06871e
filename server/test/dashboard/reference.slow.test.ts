import { operations } from "@remote-browser/contract/operations";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  chromium,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../support/servers/fake-service.ts";
import { checkPage } from "../support/pages/check-page.ts";
import { openTlsProxy } from "../support/proxies/tls-proxy.ts";

/** Records violations of the content security policy. */
const WATCH = `
  violations = [];
  addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI));
`;

let fake: FakeService;
let userBrowser: Browser;
/** Shared by most tests, so that Swagger UI is compiled only once. */
let shared: BrowserContext;

beforeAll(async () => {
  fake = await startFakeService();
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  shared = await newContext();
});
afterEach(async () => {
  await Promise.all(userBrowser.contexts().flatMap((context) => context.pages().map((page) => page.close())));
});
afterAll(async () => {
  await userBrowser.close();
  await fake[Symbol.asyncDispose]();
});

/** A page with the reference, its requests, failures and policy violations so far. */
type Reference = {
  readonly page: Page;
  readonly requested: readonly string[];
  readonly failed: readonly string[];
  readonly violations: () => Promise<unknown>;
};

async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await userBrowser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(15_000);
  return context;
}

async function openReference(
  url: URL | string = new URL("/reference", fake.service.url),
  context = shared,
): Promise<Reference> {
  const page = await context.newPage();
  const requested: string[] = [];
  const failed: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("response", (answer) => answer.status() >= 400 && failed.push(`${answer.status()} ${answer.url()}`));
  page.on("console", (message) => message.type() === "error" && failed.push(message.text()));
  page.on("pageerror", (error) => failed.push(error.message));
  await page.addInitScript(WATCH);
  await page.goto(String(url));
  await page.locator(".opblock").first().waitFor();
  return { page, requested, failed, violations: () => page.evaluate("violations") };
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.getByRole("button", { name: "Authorize", exact: true }).click();
  const dialog = page.locator(".modal-ux");
  await dialog.getByRole("textbox").fill(token);
  await dialog.locator("button[type=submit]").click();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
}

async function unfold(page: Page, tag: string, id: keyof typeof operations): Promise<Locator> {
  const operation = page.locator(`#operations-${tag}-${id}`);
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Execute" }).waitFor();
  return operation;
}

/** @returns The status and body that the page shows, and the matching curl command. */
async function execute(operation: Locator): Promise<{ status: string; body: Record<string, unknown>; curl: string }> {
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table tbody");
  await answer.waitFor();
  const body = await answer.locator(".highlight-code code").first().innerText();
  return {
    status: await answer.locator(".response-col_status").first().innerText(),
    body: JSON.parse(body) as Record<string, unknown>,
    curl: await operation.locator(".curl").first().innerText(),
  };
}

test("all of this server's operations are shown in the contract's order, regardless of the URL's parameters", async () => {
  const url = new URL(
    "/reference?url=https://example.com/other.json&configUrl=https://example.com/x.json",
    fake.service.url,
  );
  const { page, requested } = await openReference(url);
  expect(requested.filter((one) => one.startsWith("https://example.com"))).toEqual([]);
  const paths = await page.locator(".opblock-summary-path").allInnerTexts();
  // Chromium inserts line break opportunities into long paths.
  expect(paths.map((path) => path.replaceAll("\u200b", ""))).toEqual(Object.values(operations).map(({ path }) => path));
  expect(await page.locator(".opblock.is-open").count()).toBe(0);
  expect(await page.locator("section.models.is-open").count()).toBe(0);
  expect(await page.locator("#reference-state").isVisible()).toBe(false);
});

test("an operation runs on this server with the entered token, and the page shows the matching command", async () => {
  const { page, failed, violations } = await openReference();
  const opening = await unfold(page, "Browser", "openBrowser");
  const refused = await execute(opening);
  expect([refused.status, refused.body["name"]]).toEqual(["401", "AuthorizationError"]);

  await authorize(page, fake.token);
  await opening.locator("textarea").fill('{"Headless": true, "Label": "from the reference"}');
  const opened = await execute(opening);
  expect(opened).toMatchObject({ status: "200", body: { status: 200 } });
  expect(opened.curl.replaceAll(/\s+/g, " ")).toContain(`-H 'Authorization: Bearer ${fake.token}'`);
  expect(opened.curl).toContain(`'${fake.service.url.origin}/api/v1/Browser/Open'`);
  // If the contract's example key were sent, the next request would return the same browser.
  expect(opened.curl).not.toContain("Idempotency-Key");

  const listed = await execute(await unfold(page, "Browser", "getBrowsers"));
  expect(listed.status).toBe("200");
  expect(listed.body["sessions"]).toMatchObject([{ address: opened.body["address"], label: "from the reference" }]);
  expect((await fake.post("/api/v1/Browser/Close", { address: opened.body["address"] })).status).toBe(200);
  expect(failed.filter((line) => !line.includes("401"))).toEqual([]);
  expect(await violations()).toEqual([]);
});

test("the token is not stored, and a reload clears it", async () => {
  const { page } = await openReference();
  await authorize(page, fake.token);
  const listing = await unfold(page, "Browser", "getBrowsers");
  expect((await execute(listing)).status).toBe("200");
  const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
  expect(stored).toBe('[{},{},""]');
  expect(page.url()).toMatch(/\/reference#\/Browser\/getBrowsers$/);
  await page.reload();
  // The link opens the page with the operation expanded.
  await page.locator("#operations-Browser-getBrowsers.is-open").waitFor();
  expect((await execute(page.locator("#operations-Browser-getBrowsers"))).status).toBe("401");
});

test("the page loads only this server's files, without violating its policy", async () => {
  const { page, requested, failed, violations } = await openReference();
  await page.locator(".guide summary").click();
  await page.locator(".models-control").click();
  for (const { path } of Object.values(operations)) {
    const operation = page.locator(".opblock", { has: page.locator(`[data-path="${path}"]`) });
    await operation.locator(".opblock-summary-control").click();
    await operation.locator("button.unfold").first().click();
    expect(await operation.locator(".opblock-body").count()).toBe(1);
  }
  expect(
    requested.filter((url) => !url.startsWith("data:") && new URL(url).origin !== fake.service.url.origin),
  ).toEqual([]);
  expect([failed, await violations()]).toEqual([[], []]);
});

test("the policy allows only this server's files and images inside style sheets", async () => {
  const { headers } = await fetch(new URL("/reference", fake.service.url));
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
      "base-uri 'none'; frame-ancestors 'none'",
  );
  expect([headers.get("referrer-policy"), headers.get("x-content-type-options")]).toEqual(["same-origin", "nosniff"]);
});

test("behind a TLS proxy and under a path, the page sends its calls to that path", async () => {
  await using proxy = await openTlsProxy("/eu");
  const settings = { RBS_PUBLIC_URL: proxy.publicUrl, RBS_ORIGINS: "https://elsewhere.example" };
  await using behind = await startFakeService(settings);
  proxy.setTarget(behind.service.url);
  const url = `${proxy.publicUrl}/reference`;
  const { page, requested, failed, violations } = await openReference(
    url,
    await newContext({ ignoreHTTPSErrors: true }),
  );
  await authorize(page, behind.token);
  // Sends a request from the page's origin.
  const { status, body, curl } = await execute(await unfold(page, "Browser", "openBrowser"));
  expect([status, body["status"]]).toEqual(["200", 200]);
  expect(curl).toContain(`'${proxy.publicUrl}/api/v1/Browser/Open'`);
  const elsewhere = requested.filter((one) => !one.startsWith("data:") && !one.startsWith(`${proxy.publicUrl}/`));
  expect([elsewhere, failed, await violations()]).toEqual([[], [], []]);
});

test("if the contract can't be loaded, the page shows why and what to do", async () => {
  const page = await shared.newPage();
  await page.route("**/openapi.json", (route) => route.fulfill({ status: 503 }));
  await page.goto(new URL("/reference", fake.service.url).href);
  const state = page.getByRole("status");
  await state.filter({ hasText: "could not be loaded" }).waitFor();
  expect(await state.innerText()).toBe(
    "The API reference could not be loaded. Reload the page to try again. Reason: /openapi.json returned 503.",
  );
});

test("in light and dark mode, the page fits the screen and has no serious accessibility problems", async () => {
  const { page } = await openReference();
  for (const [colorScheme, colour] of [
    ["dark", "rgb(26, 30, 37)"],
    ["light", "rgb(255, 255, 255)"],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Swagger UI animates its colours.
    await expect
      .poll(() => page.evaluate("getComputedStyle(document.querySelector('.opblock')).backgroundColor"))
      .toBe(colour);
  }
  expect(await checkPage(page, "reference", { isSeriousOnly: true })).toEqual([]);
  await authorize(page, fake.token);
  await execute(await unfold(page, "Browser", "getBrowsers"));
  await unfold(page, "Browser", "openBrowser");
  await page.locator(".guide summary").click();
  await page.locator(".models-control").click();
  await page.locator(".models .json-schema-2020-12-expand-deep-button").first().click();
  expect(await checkPage(page, "reference-unfolded", { isSeriousOnly: true })).toEqual([]);
});
