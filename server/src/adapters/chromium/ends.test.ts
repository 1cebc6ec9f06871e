import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserRig, openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import { expectNothingLeft } from "../../../test/support/browsers/traces.ts";
import { openPage } from "../../../test/support/browsers/devtools-client.ts";
import { ISOLATIONS, drive } from "../../../test/support/browsers/real-host.ts";
import { statSync } from "node:fs";
import { until } from "../../../test/support/until.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";

/** A watchdog that detects hung browsers within a second. */
const IMPATIENT = { watchdog: { intervalMs: 100, patienceMs: 100, timeoutMs: 1000, longestMs: 60_000, idleMs: 20 } };
/** Chromium needs a few seconds to read a command of this length. */
const LONG = "x".repeat(4e6);

const SHELL = { kind: "chrome-headless-shell", isHeadless: true } as const;
/** The browser that is stopped. The quick test uses the kind that starts fastest. */
const STOPPED = HAS_VARIANTS ? {} : SHELL;
const IS_ROOT = process.getuid?.() === 0;

/** Number of browsers that run at the same time. */
const MANY = HAS_VARIANTS ? 8 : 4;

const MIB = 2 ** 20;
const FILL_MEMORY = "const all = []; while (true) all.push(new Uint8Array(2 ** 24).fill(1))";

/** Returns the exit reason that a browser reports, or "none" if it is disposed first. */
async function exitOf(browser: HostedBrowser): Promise<string> {
  const exit = await Promise.race([browser.gone, browser[Symbol.asyncDispose]().then(() => "none")]);
  return exit;
}

describe.each(ISOLATIONS)("a browser with isolation %s", (isolation) => {
  let rig: BrowserRig;
  let impatient: BrowserRig;

  beforeAll(async () => {
    rig = await openBrowserRig(isolation);
    impatient = await openBrowserRig(isolation, IMPATIENT);
  });

  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await impatient[Symbol.asyncDispose]();
  });

  test("reports a crash when killed, and releases its resources when disposed", async () => {
    const browser = await rig.open({ id: "killed" });
    process.kill(rig.mainProcess("killed"), "SIGKILL");
    expect(await browser.gone).toBe("crashed");
    await until(
      () => rig.processes("killed"),
      (processes) => processes.length === 0,
    );
    await browser[Symbol.asyncDispose]();
    await rig.expectNothingHeld();
  });

  test("reports that it has exited after Browser.close", async () => {
    const browser = await rig.open({ id: "closed" });
    const client = await drive(browser);
    await client.command("Browser.close");
    expect(await browser.gone).toBe("exited");
    await browser[Symbol.asyncDispose]();
    await rig.expectNothingHeld();
  });

  test("doesn't count as hung while it reads a long command, and responds to it", async () => {
    const browser = await impatient.open({ id: "busy" });
    const client = await drive(browser);
    const answered = client.command("Browser.getVersion", { unknown: LONG });
    expect(await Promise.race([browser.gone, answered])).toHaveProperty("product");
    await browser[Symbol.asyncDispose]();
    await impatient.expectNothingHeld();
  });

  test("counts as hung while it is stopped, whatever its clients send, and can be disposed quickly", async () => {
    const browser = await impatient.open({ ...STOPPED, id: "stopped" });
    const client = await drive(browser);
    process.kill(impatient.mainProcess("stopped"), "SIGSTOP");
    using _asking = setInterval(() => void client.command("Browser.getVersion").catch(() => {}), 50);
    expect(await browser.gone).toBe("hung");
    const startedMs = performance.now();
    await browser[Symbol.asyncDispose]();
    expect(performance.now() - startedMs).toBeLessThan(2000);
    await impatient.expectNothingHeld();
  });

  test("reports a crash when it loses its screen", async () => {
    const browser = await rig.open({ id: "blind", isHeadless: false });
    const screen = rig.processes("blind").find(({ line }) => line.startsWith("Xvnc "));
    process.kill(screen?.pid ?? Number.NaN, "SIGKILL");
    expect(await browser.gone).toBe("crashed");
    await browser[Symbol.asyncDispose]();
    await rig.expectNothingHeld();
  });

  test("reports no exit when disposed, and refuses connections", async () => {
    const browser = await rig.open(SHELL);
    expect(await exitOf(browser)).toBe("none");
    await expect(browser.connect(AbortSignal.timeout(5000))).rejects.toThrow();
    await rig.expectNothingHeld();
  });

  test("doesn't affect other browsers when it ends, and has its own user", async () => {
    const ids = Array.from({ length: MANY }, (_, index) => `many-${index}`);
    const browsers = await Promise.all(ids.map((id) => rig.open({ ...SHELL, id })));
    const owners = new Set(ids.map((id) => statSync(rig.traces.folder(id)).uid));
    expect(owners.size).toBe(IS_ROOT ? MANY : 1);
    const [first, second, ...others] = browsers as [HostedBrowser, HostedBrowser, ...HostedBrowser[]];
    process.kill(rig.mainProcess("many-0"), "SIGKILL");
    expect(await first.gone).toBe("crashed");
    await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()]);
    await expectGone(rig, "many-0");
    await expectGone(rig, "many-1");
    const clients = await Promise.all(others.map((other) => drive(other)));
    for (const client of clients) expect(await client.command("Browser.getVersion")).toHaveProperty("product");
    await Promise.all(others.map((other) => other[Symbol.asyncDispose]()));
    await rig.expectNothingHeld();
  });
});

test("the host ends all its browsers when it is disposed, and opens no more", async () => {
  await using rig = await openBrowserRig("sandbox");
  const browsers = await Promise.all([rig.open(SHELL), rig.open()]);
  await Promise.all([rig.host[Symbol.asyncDispose](), rig.host[Symbol.asyncDispose]()]);
  await rig.expectNothingHeld();
  await expect(rig.open(SHELL)).rejects.toMatchObject({ failure: "BrowserUnavailable" });
  for (const browser of browsers) await browser[Symbol.asyncDispose]();
  await expectNothingLeft(rig.traces);
});

test("when a page exceeds its browser's memory limit, only that browser ends", async () => {
  await using rig = await openBrowserRig("sandbox", { limits: { memoryBytes: 512 * MIB, diskBytes: 64 * MIB } });
  const [hungry, neighbour] = await Promise.all([rig.open({ id: "hungry" }), rig.open(SHELL)]);
  const [page, other] = await Promise.all([openBlank(hungry), openBlank(neighbour)]);
  // The browser ends before it answers.
  page(FILL_MEMORY).catch(() => {});
  expect(await hungry.gone).toBe("memory");
  expect(await other("6 * 7")).toBe(42);
  for (const browser of [hungry, neighbour]) await browser[Symbol.asyncDispose]();
  await rig.expectNothingHeld();
});

async function openBlank(browser: HostedBrowser): Promise<(expression: string) => Promise<unknown>> {
  return openPage(await drive(browser), "about:blank");
}

async function expectGone(rig: BrowserRig, id: string): Promise<void> {
  await expect.poll(() => rig.processes(id)).toEqual([]);
  expect(rig.traces.folders()).not.toContain(id);
}
