import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { type BrowserRig, openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import { ISOLATIONS, NEVER, drive } from "../../../test/support/browsers/real-host.ts";
import { type DevtoolsClient, openPage } from "../../../test/support/browsers/devtools-client.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";

const KINDS = [
  { name: "Chromium, headless", kind: "chromium", isHeadless: true },
  { name: "Chromium, graphical", kind: "chromium", isHeadless: false },
  { name: "ChromeHeadlessShell", kind: "chrome-headless-shell", isHeadless: true },
] as const;

/** A page with a secure origin, served by the fake egress proxy. */
const PAGE = "http://localhost/";

describe.each(ISOLATIONS)("with isolation %s,", (isolation) => {
  let rig: BrowserRig;

  beforeAll(async () => {
    rig = await openBrowserRig(isolation);
  });

  afterAll(async () => {
    await rig.expectNothingHeld();
    await rig[Symbol.asyncDispose]();
  });

  describe.each(KINDS)("$name", ({ kind, isHeadless }) => {
    let browser: HostedBrowser;
    let client: DevtoolsClient;

    beforeAll(async () => {
      browser = await rig.open({ kind, isHeadless });
      client = await drive(browser);
    });

    afterAll(async () => {
      await client[Symbol.asyncDispose]();
      await Promise.all([browser[Symbol.asyncDispose](), browser[Symbol.asyncDispose]()]);
      await rig.expectNothingHeld();
    });

    test("responds on several connections at the same time and on later connections", async () => {
      const clients = await Promise.all(Array.from({ length: 5 }, () => drive(browser)));
      const products = await Promise.all(clients.map((one) => one.command("Browser.getVersion")));
      for (const { product } of products) expect(product).toMatch(/Chrome\/\d+\.\d+\.\d+\.\d+$/);
      for (const one of clients) await one[Symbol.asyncDispose]();
      await using again = await drive(browser);
      expect(await again.command("Browser.getVersion")).toEqual(products[0]);
    });

    test("loads pages through the egress proxy, even pages on its own loopback address", async () => {
      const page = await openPage(client, "http://127.0.0.1:8000/page");
      expect(await page("document.body.innerText")).toBe("Answered by the fake proxy.");
      expect(rig.egress.requests).toContain("GET http://127.0.0.1:8000/page");
    });

    test("is stealthy: pages and requests don't reveal that it is automated or headless", async () => {
      const page = await openPage(client, PAGE);
      const seen = JSON.stringify(await page("({ wd: navigator.webdriver, ua: navigator.userAgent })"));
      expect(seen).toMatch(
        /^\{"wd":false,"ua":"Mozilla\/5\.0 \(X11; Linux x86_64\).* Chrome\/\d+\.0\.0\.0 Safari\/537\.36"\}$/,
      );
      expect(await client.command("Browser.getVersion")).toMatchObject({
        userAgent: expect.not.stringContaining("Headless"),
      });
    });

    test("renders WebGL, and reports matching screen and window sizes", async () => {
      const page = await openPage(client, PAGE);
      expect(await page("document.createElement('canvas').getContext('webgl2') !== null")).toBe(true);
      expect(await page("[outerWidth, outerHeight, screenX, screenY]")).toEqual([1920, 1080, 0, 0]);
      expect(await page("[screen.width, screen.height]")).toEqual([1920, 1080]);
    });

    // The headless shell can be detected in other ways, and reports less about itself.
    if (kind !== "chromium") return;

    test("reports as much about itself as a browser that is not automated", async () => {
      const page = await openPage(client, PAGE);
      const hints =
        "navigator.userAgentData.getHighEntropyValues(['architecture', 'bitness', 'fullVersionList', 'formFactors'])";
      const seen = await page(
        `${hints}.then((all) => ({ ...all, plugins: navigator.plugins.length, chrome: typeof chrome }))`,
      );
      const [, major] = /Chrome\/(\d+)/.exec(String(await page("navigator.userAgent"))) ?? [];
      expect(seen).toMatchObject({
        architecture: "x86",
        bitness: "64",
        formFactors: ["Desktop"],
        brands: expect.arrayContaining([{ brand: "Chromium", version: major }]),
        fullVersionList: expect.arrayContaining([
          { brand: "Chromium", version: expect.stringMatching(`^${major}\\.\\d+`) },
        ]),
        mobile: false,
        platform: "Linux",
        plugins: 5,
        chrome: "object",
      });
      expect(JSON.stringify(seen)).not.toContain("Headless");
      expect(await page("navigator.languages.join()")).toBe("en-US,en");
    });
  });
});

describe("not stealthy,", () => {
  let rig: BrowserRig;

  beforeAll(async () => {
    rig = await openBrowserRig("sandbox");
  });

  afterAll(async () => {
    await rig.expectNothingHeld();
    await rig[Symbol.asyncDispose]();
  });

  test.each(KINDS)("$name reveals that it is automated", async ({ kind, isHeadless }) => {
    await using browser = await rig.open({ kind, isHeadless, isStealthy: false });
    await using client = await drive(browser);
    const page = await openPage(client, PAGE);
    expect(await page("navigator.webdriver")).toBe(true);
    expect(String(await page("navigator.userAgent")).includes("Headless")).toBe(isHeadless);
    expect(await page("[screen.width, screen.height]")).toEqual([1920, 1080]);
  });
});

test("a client's own switches and ignored defaults take effect", async () => {
  await using rig = await openBrowserRig("sandbox");
  {
    await using browser = await rig.open({
      switches: ["--accept-lang=de,fr", "--window-size=800,600"],
      ignoredSwitches: ["--disable-blink-features"],
      kind: "chrome-headless-shell",
    });
    await using client = await drive(browser);
    const page = await openPage(client, PAGE);
    expect(await page("[navigator.webdriver, navigator.languages.join(), outerWidth, outerHeight]")).toEqual([
      true,
      "de,fr",
      800,
      600,
    ]);
  }
  await rig.expectNothingHeld();
});

test("resizing a page has the same time limit as starting a browser", async () => {
  const clock = new FakeClock();
  await using rig = await openBrowserRig("sandbox", { clock, launchTimeoutMs: 45_000 });
  {
    await using browser = await rig.open();
    process.kill(rig.mainProcess(browser.id), "SIGSTOP");
    const resized = browser.resizePage({ width: 800, height: 600 }, NEVER).catch((error: unknown) => error);
    await clock.pass(45_000);
    expect(await resized).toMatchObject({
      cause: { message: "The browser did not resize its page within 45000 ms." },
    });
  }
  await rig.expectNothingHeld();
});
