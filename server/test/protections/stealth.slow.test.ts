import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium as playwright } from "playwright-core";
import puppeteer from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findContradictions } from "../support/sites/contradictions.ts";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type FingerprintSite, type Report, openFingerprintSite } from "../support/sites/fingerprint-site.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";

const KINDS = {
  Graphical: { Headless: false },
  Headless: { Headless: true },
  "Headless shell": { Headless: true, Browser: 3 },
} as const;

let server: RealServer;
let site: FingerprintSite;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer({ settings: { RBS_EGRESS: "any" } }), openFingerprintSite()]);
});

afterAll(async () => {
  await expectNothingHeld(server);
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Visits the site in a new browser, without a client attached to the page. */
async function visit(options: object): Promise<Report> {
  const address = await server.open(options);
  try {
    await using client = await connectDevtools(address);
    const { url, report } = site.expectVisit();
    await client.command("Target.createTarget", { url });
    return await report;
  } finally {
    await server.close(address);
  }
}

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])("%s", (kind) => {
  describe.each([true, false])("with Stealth %s", (isStealthy) => {
    let report: Report;

    beforeAll(async () => {
      report = await visit({ ...KINDS[kind], Stealth: isStealthy });
    });

    test("has the fingerprint that docs/stealth.md describes", () => {
      expect(toCells(report)).toEqual(readColumn(`${kind}, ${isStealthy}`));
    });

    test("has only the contradictions that docs/stealth.md lists", () => {
      expect(findContradictions(report)).toEqual(CONTRADICTIONS[kind][isStealthy ? "stealthy" : "plain"]);
    });
  });
});

const SHELL = ["hints: full version", "hints: architecture"];
const BARE = ["navigator.plugins", "window.chrome", "Notification.permission"];
const CONTRADICTIONS = {
  Graphical: { stealthy: [], plain: [] },
  Headless: { stealthy: [], plain: ["hints: headless", "scroll bars"] },
  "Headless shell": {
    stealthy: ["hints: headless", ...SHELL, ...BARE, "the window's frame"],
    plain: [...BARE, "the window's frame", "scroll bars"],
  },
};

describe.each(["Graphical", "Headless"] as const)("%s, with stealth,", (kind) => {
  test.each([
    [["--lang=de-DE", "--time-zone-for-testing=Europe/Berlin"], "de-DE,de,en-US,en", "Europe/Berlin", "1.234,5"],
    [
      ["--accept-lang=pt-BR,pt", "--time-zone-for-testing=America/Sao_Paulo"],
      "pt-BR,pt",
      "America/Sao_Paulo",
      "1.234,5",
    ],
  ])("%j: languages, numbers and time zone match", async (args, languages, timeZone, number) => {
    const report = await visit({ ...KINDS[kind], Args: args });
    const { page } = report.places;
    expect([page.languages.join(), page.timeZone, page.number]).toEqual([languages, timeZone, number]);
    expect(findContradictions(report)).toEqual([]);
    expect(report.botDetection.isBot).toBe(false);
  });

  test.each([
    [["--window-size=1280,800"], [1280, 800]],
    [["--window-size=2560,1440"], kind === "Headless" ? [2560, 1440] : [1920, 1080]],
    [["--force-device-scale-factor=2"], kind === "Headless" ? [1920, 1080] : [960, 540]],
  ])("%j: the window fits the screen", async (args, outer) => {
    const report = await visit({ ...KINDS[kind], Args: args });
    // Even a window that fills its screen may be a pixel smaller.
    expect(report.window.outer).toEqual(outer.map((length) => expect.closeTo(length, -1)));
    expect(findContradictions(report)).toEqual([]);
  });

  test("a client's own user agent is used in all contexts, and client hints differ from it", async () => {
    const userAgent =
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
    const report = await visit({ ...KINDS[kind], Args: [`--user-agent=${userAgent}`] });
    expect(new Set(Object.values(report.places).map((found) => found.userAgent))).toEqual(new Set([userAgent]));
    expect(findContradictions(report)).toEqual(["navigator.platform", "hints: version", ...SHELL]);
  });
});

describe("a page that is automated by", () => {
  test("Puppeteer is not detected as a bot if the viewport is not emulated", async () => {
    const { report } = await drive(async (address, url) => {
      const browser = await puppeteer.connect({ browserWSEndpoint: address, defaultViewport: null });
      const page = await browser.newPage();
      await page.goto(url);
      return () => browser.disconnect();
    });
    expect(report.botDetection).toEqual({ isBot: false, by: [] });
    expect(report.isConsoleRead).toBe(false);
    expect(findContradictions(report)).toEqual([]);
  });

  test("Playwright is not detected as a bot in the default context", async () => {
    const { report } = await drive(async (address, url) => {
      const browser = await playwright.connectOverCDP(address);
      const page = await browser.contexts()[0]?.newPage();
      // A new tab has focus before it has a size.
      await page?.waitForFunction("outerWidth > 0");
      await page?.goto(url);
      return () => browser.close();
    });
    expect(report.botDetection).toEqual({ isBot: false, by: [] });
    expect(report.isConsoleRead).toBe(false);
    expect(findContradictions(report)).toEqual([]);
  });

  /**
   * Visits the site with a client in a graphical browser. @param go Connects the client, and resolves with a function
   * that disconnects it.
   */
  async function drive(
    go: (address: string, url: string) => Promise<() => Promise<void>>,
  ): Promise<{ report: Report }> {
    const address = await server.open(KINDS.Graphical);
    try {
      const { url, report } = site.expectVisit();
      const leave = await go(address, url);
      const found = await report;
      await leave();
      return { report: found };
    } finally {
      await server.close(address);
    }
  }
});

/** Returns the expected cells of the table, by row name. */
function toCells({ botDetection, isDriven, places, window, ...report }: Report): Record<string, string> {
  const brands = places.page.hints.brands.map(({ brand }) => brand).filter((brand) => /Chrom/.test(brand));
  const yes = (fact: boolean): string => (fact ? "yes" : "no");
  return {
    "BotD's verdict": botDetection.isBot ? "bot" : "human",
    "BotD's detectors": botDetection.by.map((name) => `\`${name}\``).join(" ") || "none",
    "`navigator.webdriver`": `\`${isDriven}\``,
    "User agent, header and script": /(\w*Chrome)\//.exec(places.page.userAgent)?.[1] ?? "",
    "Client hints, header and script": brands.join(", "),
    "`Accept-Language`": report.headers["accept-language"] ?? "none",
    "Plugins, `window.chrome`": yes(report.plugins === 5 && report.hasChrome),
    "Window frame around the page": yes(window.inner.join() !== window.outer.join()),
    "Scroll bars, mouse": [window.scrollBar > 0, window.hasMouse].map(yes).join(", "),
  };
}

/** Reads a column of the table in docs/stealth.md, by its heading. */
function readColumn(heading: string): Record<string, string> {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/stealth.md"), "utf8");
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  const rows = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const head = rows.findIndex((row) => row.includes(heading));
  const column = rows[head]?.indexOf(heading) ?? -1;
  const end = rows.findIndex((row, index) => index > head + 1 && row.length !== rows[head]?.length);
  const body = rows.slice(head + 2, end < 0 ? undefined : end);
  return Object.fromEntries(body.map((row) => [row[0], row[column] ?? ""]));
}
