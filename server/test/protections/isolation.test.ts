import { writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type BrowserContext } from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandLine, environment } from "../support/machine/processes.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { PATIENCE } from "../support/until.ts";

const CANARY = "canary-in-a-file";
let server: RealServer;
let addresses: string[];
let first: Browser;

beforeAll(async () => {
  server = await startServer({ settings: { RBS_EGRESS: "public" } });
  addresses = await Promise.all([server.open({ Label: "first" }), server.open({ Label: "second" })]);
  const [browserWSEndpoint = ""] = addresses;
  first = await puppeteer.connect({ browserWSEndpoint });
});

afterAll(async () => {
  try {
    await first.disconnect();
    await Promise.all(addresses.map((address) => server.close(address)));
    await expectNothingHeld(server);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});

/** Loads a page. @returns The page's status and text, or the error if loading fails. */
async function loadPage(context: Browser | BrowserContext, url: string): Promise<{ status: number; text: string }> {
  const page = await context.newPage();
  try {
    const response = await page.goto(url, { timeout: 20_000 * PATIENCE });
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

describe("on this machine and its networks, a browser can't reach", () => {
  test.each([
    ["the service itself", () => `http://127.0.0.1:${server.url.port}/healthz`],
    ["the service at another address of the machine", () => `http://${ownAddress()}:${server.url.port}/healthz`],
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

  test("the service through a WebSocket, or its own gateway", async () => {
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

test("a browser can read only the host's system files", async () => {
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

describe("the command line", () => {
  test("arguments and ignored defaults that would remove protection are refused by name, and no browser starts", async () => {
    const before = (await server.readResources()).folders;
    const { status, body } = await server.post("Open", { Args: ["--lang=de", "--remote-debugging-port=1"] });
    expect({ status, body }).toMatchObject({ status: 400, body: { name: "BadRequest" } });
    expect(body["errors"]).toEqual([{ path: "/Args/1", message: expect.stringContaining("--remote-debugging-port") }]);
    const ignored = await server.post("Open", { ignoredDefaultArgs: ["--proxy-server"] });
    expect(ignored).toMatchObject({ status: 400, body: { errors: [{ path: "/ignoredDefaultArgs/0" }] } });
    expect((await server.readResources()).folders).toEqual(before);
  });

  test("arguments that would weaken protection have no effect on the browser's sandbox", async () => {
    const known = server.processes().length;
    const address = await server.open({ Args: ["--no-sandbox", "--disable-setuid-sandbox", "--lang=de"] });
    const lines = server.processes().map(commandLine);
    expect(lines.length).toBeGreaterThan(known);
    // Some child processes run without a sandbox and have these switches, but the main process must not have them.
    const own = lines.filter((line) => line.startsWith("/usr/lib/chromium/chromium ") && !line.includes("--type="));
    expect(own.join("\n")).not.toMatch(/ --no-sandbox| --disable-setuid-sandbox/);
    expect(own.join("\n")).toContain(" --lang=de");
    const browser = await puppeteer.connect({ browserWSEndpoint: address });
    expect((await loadPage(browser, "chrome://sandbox/")).text).toContain("You are adequately sandboxed.");
    await browser.disconnect();
    await server.close(address);
  });
});
