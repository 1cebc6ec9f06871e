import { once } from "node:events";
import { chromium as playwright } from "playwright-core";
import puppeteer from "puppeteer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Chromium, openChromium } from "../../test/support/gateway/chromium.ts";
import {
  type CountedTarget,
  type GatewayRig,
  countedTarget,
  openGatewayRig,
  upgradeHead,
} from "../../test/support/gateway/gateway-rig.ts";

const PAGE = "data:text/html,<title>Hello</title>";

let browser: Chromium;
let target: CountedTarget;
let rig: GatewayRig;
let address: string;

beforeEach(async () => {
  browser = await openChromium();
  target = countedTarget(browser, browser.devtoolsPath);
  rig = await openGatewayRig(target);
  address = `ws://127.0.0.1:${rig.port}/devtools/browser/known`;
});

afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  await browser[Symbol.asyncDispose]();
});

test("Puppeteer connects, runs commands, disconnects, reconnects and finds its page again", async () => {
  const first = await puppeteer.connect({ browserWSEndpoint: address });
  const page = await first.newPage();
  await page.goto(PAGE);
  await first.disconnect();
  await target.left(1);

  const second = await puppeteer.connect({ browserWSEndpoint: address });
  const titles = await Promise.all((await second.pages()).map((one) => one.title()));
  expect(titles).toContain("Hello");
  await second.disconnect();
  await target.left(2);
});

test("Playwright connects, runs commands, disconnects and reconnects", async () => {
  for (const count of [1, 2]) {
    const connected = await playwright.connectOverCDP(address);
    const page = await connected.newContext().then((context) => context.newPage());
    await page.goto(PAGE);
    expect(await page.title()).toBe("Hello");
    await connected.close();
    await target.left(count);
  }
});

test("Node's WebSocket client connects with compression", async () => {
  const client = new WebSocket(address);
  await once(client, "open");
  client.send('{"id":1,"method":"Browser.getVersion"}');
  const [{ data }] = (await once(client, "message")) as [MessageEvent];
  expect(JSON.parse(String(data))).toMatchObject({ id: 1, result: { product: expect.stringContaining("Chrome/") } });
  client.close();
  await target.left(1);
});

test("go-rod, which always sends the key `nil`, connects", async () => {
  const client = rig.send(upgradeHead("/devtools/browser/known", { "Sec-WebSocket-Key": "nil" }));
  const [answer] = await once(client, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /);
  client.destroy();
  await target.left(1);
});

test("Browser.close closes the connection with the browser's end reason", async () => {
  const client = await rig.openClient();
  const closed = once(client, "close");
  client.send('{"id":1,"method":"Browser.close"}');
  await browser.gone;
  target.end(1000, "browser closed: exited");
  const [code, reason] = (await closed) as [number, Buffer];
  expect([code, String(reason)]).toEqual([1000, "browser closed: exited"]);
});

test("killing a browser closes the connection with the browser's end reason", async () => {
  const client = await rig.openClient();
  const closed = once(client, "close");
  process.kill(browser.pid, "SIGKILL");
  await browser.gone;
  target.end(1011, "browser closed: crashed");
  const [code, reason] = (await closed) as [number, Buffer];
  expect([code, String(reason)]).toEqual([1011, "browser closed: crashed"]);
});
