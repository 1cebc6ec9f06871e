import { chromium as playwright } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Site, TITLE, openSite } from "../support/sites/local-site.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";

const CAT = "document.cookie = 'cat=Mog'";

let server: RealServer;
let site: Site;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer({ settings: { RBS_EGRESS: "any" } }), openSite()]);
});

afterEach(async () => {
  // Browsers left open by a failed test would make the next tests fail.
  await Promise.all((await server.addresses()).map((address) => server.post("Close", { address })));
  await expectNothingHeld(server);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test("Playwright opens a page, disconnects, and finds the page and its cookie at the same address", async () => {
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
