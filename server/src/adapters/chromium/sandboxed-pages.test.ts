import { once } from "node:events";
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BrowserRig, openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import { drive, openWorkFolder } from "../../../test/support/browsers/real-host.ts";
import { type DevtoolsClient, attachToPage, openPage } from "../../../test/support/browsers/devtools-client.ts";
import { until } from "../../../test/support/until.ts";
import { environment } from "../../../test/support/machine/processes.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";

const CANARY = "a-canary-of-the-servers";
const DEVTOOLS = "http://127.0.0.1:9222/json/version";

let rig: BrowserRig;
let browsers: HostedBrowser[];
let client: DevtoolsClient;
let other: DevtoolsClient;

beforeAll(async () => {
  process.env["RBS_CANARY"] = CANARY;
  rig = await openBrowserRig("sandbox");
  browsers = await Promise.all([rig.open({ id: "own" }), rig.open({ id: "other" })]);
  [client, other] = (await Promise.all(browsers.map((browser) => drive(browser)))) as [DevtoolsClient, DevtoolsClient];
});

afterAll(async () => {
  delete process.env["RBS_CANARY"];
  await Promise.all(browsers.map((browser) => browser[Symbol.asyncDispose]()));
  await rig.expectNothingHeld();
  await rig[Symbol.asyncDispose]();
});

/** Returns the text of the page at an address. */
async function read(url: string, by = client): Promise<string> {
  const page = await openPage(by, url);
  return String(await page("document.documentElement.innerText"));
}

/** Returns the text of the page at this address, loaded in a browser context without a proxy. */
async function readDirectly(url: string, by = client): Promise<string> {
  const context = { proxyServer: "direct://", proxyBypassList: "*" };
  const { browserContextId } = await by.command("Target.createBrowserContext", context);
  const { targetId } = await by.command("Target.createTarget", { url: "about:blank", browserContextId });
  const { command, evaluate } = await attachToPage(by, targetId);
  const { errorText } = await command("Page.navigate", { url });
  return typeof errorText === "string" ? errorText : String(await evaluate("document.documentElement.innerText"));
}

test("Chromium's own sandbox is enabled inside ours", async () => {
  expect(await read("chrome://sandbox/")).toContain("You are adequately sandboxed.");
  const processes = rig.processes("own");
  const main = rig.mainProcess("own");
  const renderers = processes.filter(({ line }) => line.includes("--type=renderer"));
  expect(renderers.length).toBeGreaterThan(0);
  for (const { pid } of renderers) {
    expect(countFilters(pid)).toBeGreaterThan(countFilters(main));
    for (const namespace of ["user", "pid", "net"]) {
      expect(readlinkSync(`/proc/${pid}/ns/${namespace}`)).not.toBe(readlinkSync(`/proc/${main}/ns/${namespace}`));
    }
  }
});

/** Returns the number of a process's system call filters, including inherited ones. */
function countFilters(pid: number): number {
  return Number(/^Seccomp_filters:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

test("every process has the sandbox's filter, and without WebGL, the GPU process has an additional one", async () => {
  await using plain = await rig.open({ id: "plain", hasWebGl: false });
  const findGpu = (id: string): number =>
    rig.processes(id).find(({ line }) => line.includes("--type=gpu-process"))?.pid ?? Number.NaN;
  const page = await openPage(await drive(plain), "about:blank");
  expect(await page("document.createElement('canvas').getContext('webgl2')")).toBe(null);
  await until(
    () => countFilters(findGpu("plain")),
    (count) => count > 1,
  );
  expect(countFilters(findGpu("own"))).toBe(1);
  for (const { pid } of rig.processes("plain").filter(({ line }) => !line.startsWith("bwrap ")))
    expect(countFilters(pid)).toBeGreaterThan(0);
});

describe("a page can read these host files:", () => {
  test.each([
    "/etc/hostname",
    "/etc/passwd",
    "/etc/shadow",
    "/root",
    "/run",
    "/sys",
    "/var/tmp",
    import.meta.filename,
    process.cwd(),
  ])("not %s", async (path) => {
    expect(await read(`file://${path}`)).toMatch(/ERR_FILE_NOT_FOUND|ERR_ACCESS_DENIED/);
  });

  test("neither world-readable files nor another sandbox's files", async () => {
    using folder = openWorkFolder();
    const canary = join(folder.path, "canary.txt");
    writeFileSync(canary, CANARY, { mode: 0o644 });
    expect(await read(`file://${canary}`)).toMatch(/ERR_FILE_NOT_FOUND/);
    for (const path of [rig.traces.folder("other"), "/tmp/other"]) {
      expect(await read(`file://${path}/home/profile/Local%20State`)).toMatch(/ERR_FILE_NOT_FOUND/);
    }
    // The page can read its own sandbox's files, which have the same path in every sandbox.
    expect(await read("file:///home/browser/profile/Local%20State")).toContain("{");
  });
});

test("a page can't see host processes, and its sandbox's processes don't have the server's environment", async () => {
  const numbers = [...(await read("file:///proc/")).matchAll(/^(\d+)\/?/gm)].map(([, pid]) => Number(pid));
  expect(numbers.length).toBeGreaterThan(3);
  expect(Math.max(...numbers)).toBeLessThan(1000);
  for (const one of rig.processes()) expect(environment(one)).not.toContain(CANARY);
});

describe("a page that doesn't use the proxy", () => {
  test("can't reach the host or a cloud's metadata service", async () => {
    const visits: string[] = [];
    const site = createServer((request, response) => {
      visits.push(String(request.url));
      response.end("reached");
    });
    site.listen(0, "0.0.0.0");
    await once(site, "listening");
    onTestFinished(() => void site.close());
    const { port } = site.address() as AddressInfo;
    const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    const hosts = new Set(["169.254.169.254", ...addresses.flatMap((it) => (it.family === "IPv4" ? it.address : []))]);
    for (const host of hosts) expect(await readDirectly(`http://${host}:${port}/`)).toMatch(/^net::ERR_/);
    expect(visits).toEqual([]);
  });

  test("can only reach its own browser's DevTools, although all browsers use the same port", async () => {
    const [own, others] = await Promise.all([readDirectly(DEVTOOLS), readDirectly(DEVTOOLS, other)]);
    expect(own).toContain(browsers[0]?.devtoolsPath);
    expect(others).toContain(browsers[1]?.devtoolsPath);
    expect(own).not.toContain(browsers[1]?.devtoolsPath);
  });
});

test("the proxy decides what a page can reach, even at addresses on its own loopback interface", async () => {
  const before = rig.egress.requests.length;
  for (const url of [DEVTOOLS, "http://localhost:9222/json", "http://169.254.169.254/latest/"]) {
    expect(await read(url)).toBe("Answered by the fake proxy.");
  }
  expect(rig.egress.requests.slice(before).filter((asked) => !asked.includes("favicon"))).toEqual([
    `GET ${DEVTOOLS}`,
    "GET http://localhost:9222/json",
    "GET http://169.254.169.254/latest/",
  ]);
});
