import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type BrowserContext } from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSite } from "./support/local-site.ts";
import { commandLine, environment } from "./support/processes.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { type RealServer, startServer } from "./support/real-server.ts";

const CANARY = "canary-in-a-file";
/** The DevTools address in every sandbox. */
const DEVTOOLS = "http://127.0.0.1:9222/json";

let server: RealServer;
let addresses: string[];
let browsers: Browser[];
let first: Browser;
let second: Browser;

beforeAll(async () => {
  server = await startServer({ settings: { RBS_EGRESS: "public" } });
  addresses = await Promise.all([server.open({ Label: "first" }), server.open({ Label: "second" })]);
  browsers = await Promise.all(addresses.map((address) => puppeteer.connect({ browserWSEndpoint: address })));
  [first, second] = browsers as [Browser, Browser];
});

afterAll(async () => {
  try {
    await Promise.all(browsers.map((browser) => browser.disconnect()));
    await Promise.all(addresses.map((address) => server.close(address)));
    await expectNothingHeld(server);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});

/** Loads a page. @returns Its status and text, or the error if it fails. */
async function loadPage(context: Browser | BrowserContext, url: string): Promise<{ status: number; text: string }> {
  const page = await context.newPage();
  try {
    const response = await page.goto(url, { timeout: 20_000 });
    return { status: response?.status() ?? 0, text: String(await page.evaluate("document.documentElement.innerText")) };
  } catch (error) {
    return { status: 0, text: (error as Error).message };
  } finally {
    await page.close();
  }
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "10.0.0.1";
}

describe("on this machine and its networks, a browser doesn't reach", () => {
  test.each([
    ["the service itself", () => `http://127.0.0.1:${server.url.port}/healthz`],
    ["the service by name", () => `http://localhost:${server.url.port}/healthz`],
    ["the service by IPv6", () => `http://[::1]:${server.url.port}/healthz`],
    ["the service by a mapped address", () => `http://[::ffff:127.0.0.1]:${server.url.port}/healthz`],
    ["the service by a number", () => `http://2130706433:${server.url.port}/healthz`],
    ["the service at another address of the machine", () => `http://${ownAddress()}:${server.url.port}/healthz`],
    ["the cloud's metadata", () => "http://169.254.169.254/latest/meta-data/"],
    ["a private network", () => "http://10.1.2.3/"],
  ])("%s, and the page says why", async (_, url) => {
    const { status, text } = await loadPage(first, url());
    expect({ status, text }).toEqual({ status: 403, text: expect.stringContaining("RBS_EGRESS=any") });
    expect(text).not.toContain("alive");
  });

  test("sites over TLS", async () => {
    expect(await loadPage(first, `https://127.0.0.1:${server.url.port}/`)).toMatchObject({
      status: 0,
      text: expect.stringContaining("ERR_TUNNEL_CONNECTION_FAILED"),
    });
  });

  test("sites from a context without the proxy", async () => {
    await using site = await openSite();
    const context = await first.createBrowserContext({ proxyServer: "direct://", proxyBypassList: ["*"] });
    const urls = [
      `http://127.0.0.1:${server.url.port}/healthz`,
      `http://${ownAddress()}:${server.url.port}/healthz`,
      site.url,
      "http://169.254.169.254/latest/meta-data/",
    ];
    const seen = await Promise.all(urls.map((url) => loadPage(context, url)));
    expect(seen).toEqual(urls.map(() => ({ status: 0, text: expect.stringMatching(/net::ERR_/) })));
    expect(site.visits).toEqual([]);
    await context.close();
  });

  test("the service through a WebSocket, nor its own gateway", async () => {
    const page = await first.newPage();
    const connect = `new Promise((done) => {
      const socket = new WebSocket(${JSON.stringify(addresses[1])});
      socket.onopen = () => done("open");
      socket.onerror = () => done("refused");
    })`;
    expect(await page.evaluate(connect)).toBe("refused");
    await page.close();
  });
});

describe("a browser doesn't reach other browsers'", () => {
  test("DevTools: on the port that all sandboxes use, only its own listens", async () => {
    const contexts = await Promise.all(browsers.map((one) => one.createBrowserContext({ proxyServer: "direct://" })));
    const [mine, others] = await Promise.all(
      contexts.map(async (context) => (await loadPage(context, `${DEVTOOLS}/version`)).text),
    );
    expect(mine).toContain("webSocketDebuggerUrl");
    expect(others).toContain("webSocketDebuggerUrl");
    expect(mine).not.toBe(others);
    await Promise.all(contexts.map((context) => context.close()));
    expect((await loadPage(first, `${DEVTOOLS}/version`)).status).toBe(403);
  });

  test("processes and files", async () => {
    const listed = await loadPage(first, "file:///proc/");
    const own = server.processes().map(({ pid }) => pid);
    const visible = [...listed.text.matchAll(/^(\d+)\/$/gm)].map(([, pid]) => Number(pid));
    // Process ids in a sandbox start at 1, far below those on the host.
    expect(visible.filter((pid) => pid > Math.min(...own))).toEqual([]);
    expect((await loadPage(second, "file:///home/")).text).toMatch(/browser\/?/);
    expect((await loadPage(second, "file:///tmp/")).text).not.toMatch(/rbs-e2e/);
  });
});

test("of the host's files, a browser can read only the system's", async () => {
  const canary = join(server.home.folder, "canary.txt");
  await writeFile(canary, CANARY, { mode: 0o644 });
  const files = [
    canary,
    join(server.home.dataDir, "service.sqlite"),
    server.home.workDir,
    "/etc/passwd",
    "/etc/shadow",
    "/etc/hostname",
    "/root",
    "/var/log",
    "/run",
    "/sys",
    process.cwd(),
  ];
  const seen = await Promise.all(files.map((file) => loadPage(first, `file://${file}`)));
  expect(seen).toEqual(files.map(() => ({ status: 0, text: expect.stringMatching(/ERR_FILE_NOT_FOUND|ERR_ACCESS/) })));
  expect((await loadPage(first, "file:///proc/self/environ")).text).not.toContain("RBS_");
  for (const one of server.processes()) expect(environment(one)).not.toContain("RBS_");
});

test("a user's own proxy doesn't give access to private addresses", async () => {
  const visits: string[] = [];
  const proxy = createServer((request, response) => {
    visits.push(String(request.url));
    response.end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const address = await server.open({ Proxy: { Host: "127.0.0.1", Port: String(port) } });
  const browser = await puppeteer.connect({ browserWSEndpoint: address });
  expect(await loadPage(browser, "http://site.example/")).toEqual({
    status: 403,
    text: expect.stringContaining("RBS_EGRESS=any"),
  });
  expect(visits).toEqual([]);
  await browser.disconnect();
  await server.close(address);
  proxy.close();
});

describe("the command line", () => {
  test.each([
    "--renderer-cmd-prefix=/bin/sh -c id --",
    "--gpu-launcher=/bin/sh",
    "--utility-cmd-prefix=/bin/sh",
    "--browser-subprocess-path=/bin/sh",
    "--proxy-server=direct://",
    "--no-proxy-server",
    "--proxy-bypass-list=*",
    "--proxy-pac-url=http://127.0.0.1/",
    "--host-resolver-rules=MAP * 127.0.0.1",
    "--remote-debugging-port=1",
    "--remote-debugging-address=0.0.0.0",
    "--remote-debugging-pipe",
    "--user-data-dir=/tmp",
    "--load-extension=/tmp",
    "--disk-cache-dir=/tmp",
    "--log-file=/tmp/log",
    "--an-unknown-switch",
  ])("%s is refused by name, and no browser starts", async (argument) => {
    const before = (await server.readResources()).folders;
    const { status, body } = await server.post("Open", { Args: ["--lang=de", argument] });
    const [name] = argument.split("=");
    expect({ status, body }).toMatchObject({ status: 400, body: { name: "BadRequest" } });
    expect(body["errors"]).toEqual([{ path: "/Args/1", message: expect.stringContaining(`${name}`) }]);
    expect(body["message"]).toContain(name);
    expect((await server.readResources()).folders).toEqual(before);
  });

  test("IgnoredDefaultArgs can't remove protection", async () => {
    const { status, body } = await server.post("Open", { ignoredDefaultArgs: ["--proxy-server"] });
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: "/ignoredDefaultArgs/0" }] } });
  });

  test("arguments that would weaken the protection have no effect: the browser's sandbox stays on", async () => {
    const known = server.processes().length;
    const address = await server.open({ Args: ["--no-sandbox", "--disable-setuid-sandbox", "--lang=de"] });
    const lines = server.processes().map(commandLine);
    expect(lines.length).toBeGreaterThan(known);
    // Some child processes run without a sandbox and have these switches. The main process must not.
    const own = lines.filter((line) => line.startsWith("/usr/lib/chromium/chromium ") && !line.includes("--type="));
    expect(own.join("\n")).not.toMatch(/ --no-sandbox| --disable-setuid-sandbox/);
    expect(own.join("\n")).toContain(" --lang=de");
    const browser = await puppeteer.connect({ browserWSEndpoint: address });
    expect((await loadPage(browser, "chrome://sandbox/")).text).toContain("You are adequately sandboxed.");
    await browser.disconnect();
    await server.close(address);
  });
});
