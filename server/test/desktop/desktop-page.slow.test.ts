import { type Browser, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { openTcpRelay } from "../support/proxies/tcp-relay.ts";
import { openTlsProxy } from "../support/proxies/tls-proxy.ts";
import { expectOwnFiles } from "../support/pages/page-files.ts";
import { until } from "../support/until.ts";

const BLUE = "#3264c8";
const RED = "#c83264";

type Desktop = { readonly password: string; readonly viewPassword: string; readonly url: string };

/** A graphical browser with a running desktop and an open page. */
type Opened = AsyncDisposable & {
  readonly address: string;
  readonly desktop: Desktop;
  /** Evaluates an expression in the browser's page over DevTools. */
  evaluate(expression: string): Promise<unknown>;
};

/** A page that counts clicks and is taller than its window. */
const HTML = `<!doctype html><title>Opened</title><style>html { background: ${BLUE} } body { height: 5000px }</style>
<input id="field" autofocus><script>
  clicks = 0;
  addEventListener("click", () => (clicks += 1));
</script>`;

let server: RealServer;
/** The user's web browser. */
let userBrowser: Browser;

beforeAll(async () => {
  server = await startServer({ settings: { RBS_EGRESS: "any" } });
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterEach(async () => {
  await Promise.all(userBrowser.contexts().map((context) => context.close()));
  await expectNothingHeld(server);
});
afterAll(async () => {
  await userBrowser.close();
  await server[Symbol.asyncDispose]();
});

async function start(address: string, from = server): Promise<Desktop> {
  const { status, body } = await from.post("StartRemoteDesktop", { address });
  expect(status).toBe(200);
  return body as Desktop;
}

async function open(from = server, options: { readonly rejectUnauthorized?: boolean } = {}): Promise<Opened> {
  const address = await from.open({ Headless: false, KeepOpen: 120 });
  const client = await connectDevtools(address, options);
  const evaluate = await openPage(client, `data:text/html,${encodeURIComponent(HTML)}`);
  return {
    address,
    desktop: await start(address, from),
    evaluate,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await from.post("Close", { address });
    },
  };
}

/** Opens a link in the user's web browser. */
async function openLink(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await userBrowser.newContext({ viewport: { width: 1200, height: 760 }, ...options });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function untilState(page: Page, ...states: readonly string[]): Promise<void> {
  const state = (): Promise<unknown> => page.evaluate("document.documentElement.dataset.state");
  await until(state, (now) => states.includes(String(now)));
}

/** Returns the page's colour on the desktop, read away from the middle, where the pointer starts. */
async function readColour(page: Page): Promise<string> {
  const pixel = await page.evaluate(`{
    const canvas = document.querySelector("canvas");
    [...canvas.getContext("2d").getImageData(canvas.width / 3, canvas.height / 3, 1, 1).data];
  }`);
  const parts = (pixel as number[]).slice(0, 3).map((part) => part.toString(16).padStart(2, "0"));
  return `#${parts.join("")}`;
}

async function untilField(opened: Opened, wanted: string): Promise<void> {
  const read = (): Promise<unknown> => opened.evaluate("document.querySelector('#field').value");
  await until(read, (value) => value === wanted);
}

/** JPEG changes colours slightly. */
async function untilColour(page: Page, wanted: string): Promise<void> {
  const parts = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const isNear = (seen: string) => parts(seen).every((part, at) => Math.abs(part - (parts(wanted)[at] ?? 0)) < 8);
  await until(() => readColour(page), isNear);
}

describe("the desktop page", () => {
  test("shows the browser after one click, sends keys, clicks and the wheel, and shows changes made over DevTools", async () => {
    await using opened = await open();
    const page = await openLink(opened.desktop.url);
    await untilState(page, "connected");
    await untilColour(page, BLUE);
    await page.locator("canvas").click();
    expect(await until(() => opened.evaluate("clicks"), Boolean)).toBe(1);
    await opened.evaluate("document.querySelector('#field').focus()");
    await page.keyboard.type("Hello!");
    await untilField(opened, "Hello!");
    await page.mouse.wheel(0, 400);
    await until(
      () => opened.evaluate("scrollY"),
      (y) => Number(y) > 0,
    );
    await opened.evaluate(`document.documentElement.style.background = "${RED}"`);
    await untilColour(page, RED);
    const loaded: string[] = [];
    page.on("response", (answer) => loaded.push(answer.url()));
    await page.reload();
    await untilState(page, "connected");
    await untilColour(page, RED);
    await expectOwnFiles(loaded, opened.desktop.url);
  });

  test("shares the clipboard in both directions", async () => {
    await using opened = await open();
    const page = await openLink(opened.desktop.url, { permissions: ["clipboard-read", "clipboard-write"] });
    await untilState(page, "connected");
    await untilColour(page, BLUE);
    await page.locator("canvas").click();
    await until(() => opened.evaluate("clicks"), Boolean);
    await opened.evaluate("document.querySelector('#field').focus()");
    await page.evaluate("navigator.clipboard.writeText('Grüße, 世界')");
    await page.keyboard.press("Control+v");
    await untilField(opened, "Grüße, 世界");
    await opened.evaluate("document.querySelector('#field').value = 'copied there ✓'");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    await until(
      () => page.evaluate("navigator.clipboard.readText()"),
      (text) => text === "copied there ✓",
    );
    await page.click("#clipboard");
    expect(await page.inputValue("#clipboard-text")).toBe("copied there ✓");
  });

  test("has buttons for keys that phones lack", async () => {
    await using opened = await open();
    const page = await openLink(opened.desktop.url, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 780 },
    });
    await untilState(page, "connected");
    await opened.evaluate("document.querySelector('#field').focus()");
    await page.tap("#keyboard");
    await page.keyboard.insertText("abc");
    await untilField(opened, "abc");
    await page.keyboard.press("Backspace");
    await untilField(opened, "ab");
    await page.tap("#keys");
    await page.tap("text=Tab");
    const focused = await until(
      () => opened.evaluate("document.activeElement.id"),
      (id) => id !== "field",
    );
    expect(focused).toBe("");
  });

  test("shows everything when opened with a view-only link, but input has no effect", async () => {
    await using opened = await open();
    const bare = opened.desktop.url.replace(/#.*/, "");
    // Only the first link marks its page as view-only. For the second link, the server itself must ignore the page's
    // input.
    for (const fragment of [`#view=${opened.desktop.viewPassword}`, `#${opened.desktop.viewPassword}`]) {
      const page = await openLink(bare + fragment);
      await untilState(page, "watching", "connected");
      await untilColour(page, BLUE);
      expect(await page.isVisible("#badge")).toBe(fragment.startsWith("#view"));
      await opened.evaluate("document.querySelector('#field').focus()");
      await page.keyboard.type("no");
      await page.locator("canvas").click();
      await page.mouse.wheel(0, 400);
      await page.context().close();
    }
    // If the server had accepted the earlier input, it would have arrived before this click.
    const page = await openLink(opened.desktop.url);
    await untilState(page, "connected");
    await page.locator("canvas").click();
    await until(
      () => opened.evaluate("clicks"),
      (clicks) => Number(clicks) > 0,
    );
    expect(await opened.evaluate("[clicks, scrollY, document.querySelector('#field').value].join()")).toBe("1,0,");
  });

  test("asks for the password if it is wrong or missing, remembers it, and can fill the screen", async () => {
    await using opened = await open();
    const { url, password } = opened.desktop;
    const page = await openLink(url.replace(/#.*/, "#wrong123"));
    await untilState(page, "refused");
    expect(await page.textContent("h1")).toBe("The password is wrong");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Connect" }).click();
    await untilState(page, "connected");
    expect(page.url()).toBe(url);
    await page.click("#fullscreen");
    const isFull = (): Promise<unknown> => page.evaluate("document.fullscreenElement !== null");
    expect(await until(isFull, Boolean)).toBe(true);
    await page.mouse.move(600, 1);
    await page.click("#fullscreen");
    await until(isFull, (now) => now === false);
    await page.goto("about:blank");
    await page.goto(url.replace(/#.*/, ""));
    await untilState(page, "locked");
  });

  test("reports a stopped desktop, a closed browser with the reason, and an unknown link", async () => {
    await using opened = await open();
    const page = await openLink(opened.desktop.url);
    await untilState(page, "connected");
    await server.post("StopRemoteDesktop", { address: opened.address });
    await untilState(page, "stopped");
    expect(await page.getByRole("status").innerText()).toBe("Desktop stopped");

    const again = await start(opened.address);
    expect(new URL(again.url).pathname).not.toBe(new URL(opened.desktop.url).pathname);
    const gone = await page.reload();
    expect([gone?.status(), gone?.headers()["content-type"]]).toEqual([404, "text/html; charset=UTF-8"]);
    await untilState(page, "unknown");
    expect(await page.textContent("#message-text")).toContain("call StartRemoteDesktop to get a new link");

    await page.goto(again.url);
    await untilState(page, "connected");
    await server.close(opened.address);
    await untilState(page, "ended");
    expect(await page.textContent("#message-text")).toContain("closed by a request");
  });

  test("reconnects automatically, and reports when the desktop has ended", async () => {
    await using opened = await open();
    await using relay = await openTcpRelay(server.url);
    const link = new URL(opened.desktop.url);
    link.port = relay.url.port;
    const page = await openLink(link.href);
    await untilState(page, "connected");
    relay.cut();
    await untilState(page, "retrying");
    await untilState(page, "connected");
    await untilColour(page, BLUE);
    relay.cut();
    await untilState(page, "retrying");
    await server.post("StopRemoteDesktop", { address: opened.address });
    await untilState(page, "unknown");
    expect(await page.getByRole("status").innerText()).toBe("No desktop");
  });
});

test("the desktop page works behind a TLS proxy and under a path", async () => {
  await using proxy = await openTlsProxy("/eu");
  await using behindProxy = await startServer({ settings: { RBS_PUBLIC_URL: proxy.publicUrl, RBS_EGRESS: "any" } });
  proxy.setTarget(behindProxy.url);
  await using opened = await open(behindProxy, { rejectUnauthorized: false });
  expect(opened.desktop.url).toContain(`${proxy.publicUrl}/desktop/`);
  const failed: string[] = [];
  const context = await userBrowser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.on("response", (answer) => answer.status() >= 400 && failed.push(answer.url()));
  page.on("console", (message) => message.type() === "error" && failed.push(message.text()));
  await page.goto(opened.desktop.url);
  await untilState(page, "connected");
  await untilColour(page, BLUE);
  expect(failed).toEqual([]);
  // The server also accepts URLs without the path, for proxies that strip it.
  const stripped = new URL(new URL(opened.desktop.url).pathname.replace("/eu", ""), behindProxy.url);
  expect((await fetch(stripped)).status).toBe(200);
});
