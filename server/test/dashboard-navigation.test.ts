import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeService, startFakeService } from "./support/fake-service.ts";
import { PASSWORD, type PageUser, signIn } from "./support/page-user.ts";
import { openSignedInPage } from "./support/signed-in-page.ts";

let server: FakeService;
let user: PageUser;
let userBrowser: Browser;

beforeAll(async () => {
  server = await startFakeService();
  const { email, password } = server.service.firstAccount ?? { email: "", password: PASSWORD };
  user = await signIn(server.service.url, email, password);
  userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await userBrowser.close();
  await server[Symbol.asyncDispose]();
});

test.each(["/dashboard", "/dashboard/tokens", "/dashboard/settings", "/operator"])(
  "on a narrow screen, the navigation shows the current entry, and %s starts at its top",
  async (path) => {
    const context = await userBrowser.newContext({ viewport: { width: 390, height: 500 } });
    const page = await openSignedInPage(context, server.service.url, user);
    await page.goto(new URL(path, server.service.url).href);
    const [around, entry] = await Promise.all(
      [".side ul", ".side [aria-current]"].map((selector) => page.locator(selector).boundingBox()),
    );
    expect(entry?.x).toBeGreaterThanOrEqual(around?.x ?? Infinity);
    expect((entry?.x ?? Infinity) + (entry?.width ?? 0)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
    expect(await page.evaluate("[scrollX, scrollY]")).toEqual([0, 0]);
    await context.close();
  },
);
