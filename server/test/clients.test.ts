import { chromium as playwright } from "playwright-core";
import puppeteer from "puppeteer";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectDevtools, openPage, readRefusal } from "./support/devtools-client.ts";
import { type Site, TITLE, openSite } from "./support/local-site.ts";
import { commandLine } from "./support/processes.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { type RealServer, startServer } from "./support/real-server.ts";

const CAT = "document.cookie = 'cat=Mog'";

let server: RealServer;
let site: Site;

beforeAll(async () => {
  [server, site] = await Promise.all([
    startServer({ plans: { one: { parallel: 1 } }, settings: { RBS_EGRESS: "any" } }),
    openSite(),
  ]);
});

afterEach(async () => {
  // Browsers that a failed test left open would make the next tests fail.
  await Promise.all((await server.addresses()).map((address) => server.post("Close", { address })));
  await expectNothingHeld(server);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test("Puppeteer opens a page, leaves, and finds page and cookie again under the same address", async () => {
  const address = await server.open();
  const first = await puppeteer.connect({ browserWSEndpoint: address });
  const page = await first.newPage();
  await page.goto(site.url);
  expect(await page.title()).toBe(TITLE);
  await page.evaluate(CAT);
  await first.disconnect();

  const second = await puppeteer.connect({ browserWSEndpoint: address });
  const again = (await second.pages()).find((one) => one.url() === site.url);
  expect(await again?.title()).toBe(TITLE);
  expect(await again?.evaluate("document.cookie")).toBe("cat=Mog");
  await second.disconnect();
  await server.close(address);
});

test("Playwright opens a page, leaves, and finds page and cookie again under the same address", async () => {
  const address = await server.open();
  const first = await playwright.connectOverCDP(address);
  const page = await first.contexts()[0]?.newPage();
  await page?.goto(site.url);
  expect(await page?.title()).toBe(TITLE);
  await page?.evaluate(CAT);
  await first.close();

  const second = await playwright.connectOverCDP(address);
  const again = second
    .contexts()[0]
    ?.pages()
    .find((one) => one.url() === site.url);
  expect(await again?.title()).toBe(TITLE);
  expect(await again?.evaluate("document.cookie")).toBe("cat=Mog");
  await second.close();
  await server.close(address);
});

test("a bare WebSocket opens a page, leaves, and finds page and cookie again under the same address", async () => {
  const address = await server.open();
  {
    await using first = await connectDevtools(address);
    const evaluate = await openPage(first, site.url);
    expect(await evaluate("document.title")).toBe(TITLE);
    await evaluate(CAT);
  }
  {
    await using second = await connectDevtools(address);
    const { targetInfos } = await second.command("Target.getTargets");
    expect(targetInfos).toContainEqual(expect.objectContaining({ type: "page", title: TITLE, url: site.url }));
    const evaluate = await openPage(second, site.url);
    expect(await evaluate("document.querySelector('#cookie').textContent")).toBe("cat=Mog");
  }
  await server.close(address);
});

test("several clients drive one browser at once, and a client that leaves doesn't affect the others", async () => {
  const address = await server.open();
  const [one, other, third] = await Promise.all([
    connectDevtools(address),
    connectDevtools(address),
    puppeteer.connect({ browserWSEndpoint: address }),
  ]);
  const titles = await Promise.all(
    [one, other].map(async (client) => (await openPage(client, site.url))("document.title")),
  );
  expect(titles).toEqual([TITLE, TITLE]);
  one.socket.terminate();
  await one.closed;
  expect(await other.command("Browser.getVersion")).toMatchObject({ protocolVersion: "1.3" });
  expect(await third.version()).toMatch(/Chrome\/\d/);
  await server.close(address);
  expect(await other.closed).toEqual({ code: 1000, reason: "browser closed: requested" });
});

test("Browser.close over DevTools ends the browser as Close does, and frees its slot", async () => {
  const token = await server.home.newAccount("one@example.com", "one");
  const address = await server.open({}, token);
  const client = await connectDevtools(address);
  await client.command("Browser.close");
  expect(await client.closed).toEqual({ code: 1000, reason: "browser closed: exited" });
  expect(await server.addresses(token)).toEqual([]);
  expect(await readRefusal(address)).toMatchObject({ status: 404, name: "BrowserNotFound" });
  expect(await server.post("Close", { address }, token)).toMatchObject({ status: 404 });
  await expectNothingHeld(server);
  await server.close(await server.open({}, token), token);
});

test("without options, a browser has its own screen, and Chromium draws on it", async () => {
  const answer = await server.post("Open", {});
  const address = String(answer.body["address"]);
  expect(server.processes().map(commandLine).filter(isXvnc)).toHaveLength(1);
  {
    await using client = await connectDevtools(address);
    const { product, userAgent } = await client.command("Browser.getVersion");
    expect(product).toMatch(/^Chrome\//);
    expect(userAgent).not.toMatch(/Headless/);
    const evaluate = await openPage(client, site.url);
    expect(await evaluate("[screen.width, screen.height, navigator.webdriver]")).toEqual([1920, 1080, false]);
  }
  await server.close(address);
});

test("options can be spelled in camelCase, and null counts as left out", async () => {
  const options = { headless: true, browser: 3, keepOpen: 300, label: "camel", proxy: null, args: null, stealth: null };
  const answer = await server.post("Open", options);
  expect(answer).toMatchObject({ status: 200 });
  const lines = server.processes().map(commandLine);
  expect(lines.filter((line) => line.startsWith("/usr/lib/chromium/chromium-headless-shell"))).not.toEqual([]);
  expect(lines.filter(isXvnc)).toEqual([]);
  expect((await server.get()).body["sessions"]).toMatchObject([{ label: "camel", address: answer.body["address"] }]);
  await server.close(String(answer.body["address"]));
});

test("the headless shell shows pages, and doesn't need the option Headless", async () => {
  const address = await server.open({ Browser: 3, Headless: false });
  expect(server.processes().map(commandLine).filter(isXvnc)).toEqual([]);
  {
    await using client = await connectDevtools(address);
    expect(await (await openPage(client, site.url))("document.title")).toBe(TITLE);
  }
  await server.close(address);
});

function isXvnc(line: string): boolean {
  return line.startsWith("Xvnc ");
}
