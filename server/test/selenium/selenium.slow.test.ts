import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium as playwright } from "playwright-core";
import puppeteer from "puppeteer";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CERTIFICATE } from "../../../clients/tunnel/test/certificate.fixtures.ts";
import { type Command, startCommand } from "../../../clients/tunnel/test/command.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { HAS_JAVA, MAVEN_MS, readClassPath } from "../support/machine/java.ts";
import { type Site, openSite } from "../support/sites/local-site.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { runProgram } from "../support/machine/run-program.ts";
import { readSnippets } from "../support/pages/snippets.ts";
import { type TlsProxy, openTlsProxy } from "../support/proxies/tls-proxy.ts";

const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const PROGRAMS = fileURLToPath(new URL(".", import.meta.url));
/** Prevents Selenium from downloading drivers and browsers. */
const OFFLINE = { SE_OFFLINE: "true", SE_AVOID_STATS: "true" };

/** The output of drive.py and Drive.java on success. */
const EXPECTED = {
  title: "A page to drive",
  greeting: "Hello größer",
  alert: "Sure?",
  answer: "sure",
  script: [42, "A page to drive"],
  async: "later",
  other: "about:blank",
  windows: 1,
  frame: "inside",
  cookie: "Mog",
  small: { width: 700, height: 500 },
  large: { width: 1920, height: 1080 },
  picture: "PNG",
  version: "1.3",
};

let proxy: TlsProxy;
let plain: RealServer;
let behindTls: RealServer;
let site: Site;
let folder: string;
/** The first test that needs the class path reads it, so the Python tests run without Java. */
let classPath: Promise<string> | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "selenium-"));
  writeFileSync(join(folder, "ca.pem"), CERTIFICATE);
  [proxy, site] = await Promise.all([
    openTlsProxy("/some/prefix"),
    openSite({ html: readFileSync(join(PROGRAMS, "page.html"), "utf8") }),
  ]);
  [plain, behindTls] = await Promise.all([
    startServer({ settings: { RBS_EGRESS: "any" } }),
    startServer({ settings: { RBS_EGRESS: "any", RBS_PUBLIC_URL: proxy.publicUrl } }),
  ]);
  proxy.setTarget(behindTls.url);
});

afterEach(async () => {
  for (const server of [plain, behindTls]) {
    // Browsers that a failed test left open would make the next tests fail.
    await Promise.all((await server.addresses()).map((address) => server.post("Close", { address })));
    await expectNothingHeld(server);
  }
});

afterAll(async () => {
  await Promise.all([plain, behindTls].map((server) => server[Symbol.asyncDispose]()));
  await Promise.all([proxy, site].map((one) => one[Symbol.asyncDispose]()));
  rmSync(folder, { recursive: true });
});

function startTunnel(address: string): Command {
  return startCommand([address, "--port", "0"], { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") });
}

async function java(file: string, args: readonly string[], environment = {}): Promise<string> {
  classPath ??= readClassPath();
  return runProgram("java", ["-cp", await classPath, file, ...args], { ...OFFLINE, ...environment });
}

describe.each([
  ["on one machine, in a browser with a window", () => plain, { Headless: false }, "ws://127.0.0.1:"],
  ["over TLS and under a path, in a headless browser", () => behindTls, {}, "wss://localhost:"],
  ["on one machine, in a headless shell", () => plain, { Browser: 3 }, "ws://127.0.0.1:"],
])("%s", (_, serverOf, options, start) => {
  test("Python Selenium drives a page, and quits without closing the browser", async () => {
    const address = await serverOf().open(options);
    expect(address).toMatch(start);
    await using tunnel = startTunnel(address);
    const host = `127.0.0.1:${await tunnel.port}`;
    const output = await runProgram(PYTHON, [join(PROGRAMS, "drive.py"), host, site.url], OFFLINE);
    expect(JSON.parse(output)).toEqual(EXPECTED);
    await expectLeftAsItWas(serverOf(), address, host);
  });
});

test.skipIf(!HAS_JAVA)(
  "Java Selenium drives a page, and quits without closing the browser (needs javac and mvn)",
  { timeout: MAVEN_MS },
  async () => {
    const address = await plain.open();
    await using tunnel = startTunnel(address);
    const host = `127.0.0.1:${await tunnel.port}`;
    expect(JSON.parse(await java(join(PROGRAMS, "Drive.java"), [host, site.url]))).toEqual(EXPECTED);
    await expectLeftAsItWas(plain, address, host);
  },
);

/** Checks with Puppeteer, through the same tunnel, that the page is as Selenium left it. */
async function expectLeftAsItWas(server: RealServer, address: string, host: string): Promise<void> {
  expect(await server.addresses()).toEqual([address]);
  const browser = await puppeteer.connect({ browserURL: `http://${host}` });
  const [page] = await browser.pages();
  expect(page?.url()).toBe(site.url);
  expect(await page?.evaluate("document.querySelector('#greeting').textContent")).toBe(EXPECTED.greeting);
  await browser.disconnect();
}

test("Playwright connects to the tunnel as if to a browser, even over TLS", async () => {
  const address = await behindTls.open();
  await using tunnel = startTunnel(address);
  const browser = await playwright.connectOverCDP(`http://127.0.0.1:${await tunnel.port}`);
  const page = await browser.contexts()[0]?.newPage();
  await page?.goto(site.url);
  expect(await page?.title()).toBe(EXPECTED.title);
  await browser.close();
  expect(await behindTls.addresses()).toEqual([address]);
});

test("npm run tunnel reports that the browser is closed", async () => {
  const address = await plain.open({ Browser: 3 });
  await plain.close(address);
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const run = runProgram("npm", ["run", "--prefix", root, "tunnel", "--", address]);
  await expect(run).rejects.toMatchObject({ code: 3, stderr: expect.stringMatching(/404 BrowserNotFound/) });
});

describe("docs/selenium.md", () => {
  test("the Python example runs unchanged", async () => {
    const address = await plain.open();
    await using tunnel = startTunnel(address);
    const TUNNEL = `127.0.0.1:${await tunnel.port}`;
    const [example = ""] = readSnippets("selenium.md", "python");
    expect(await runProgram(PYTHON, ["-c", example], { ...OFFLINE, TUNNEL })).toBe("First page Hello\n");
  });

  test.skipIf(!HAS_JAVA)("the Java example runs unchanged (needs javac and mvn)", { timeout: MAVEN_MS }, async () => {
    const address = await plain.open();
    await using tunnel = startTunnel(address);
    const TUNNEL = `127.0.0.1:${await tunnel.port}`;
    const [example = ""] = readSnippets("selenium.md", "java");
    const file = join(folder, "FirstPage.java");
    writeFileSync(file, example);
    expect(await java(file, [], { TUNNEL })).toBe("First page Hello\n");
  });
});
