import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openBrowserRig } from "../../../../test/support/browsers/browser-rig.ts";
import { attachToPage, openPage, pagesOf } from "../../../../test/support/browsers/devtools-client.ts";
import { CONNECT, EXTENSION, PROGRAM, hasRun, plantProgram } from "../../../../test/support/browsers/planted.ts";
import { NEVER, drive, newSandboxes } from "../../../../test/support/browsers/real-host.ts";
import { openRfb } from "../../../../test/support/desktop/rfb-client.ts";
import { until } from "../../../../test/support/until.ts";
import type { ProcessOutput } from "../../../ports/sandboxes.ts";
import { findExecutables, toBrowserPrograms } from "./executables.ts";

const SWITCHES = ["--enable-unsafe-extension-debugging"];
/** Position of the dialog's button that lets the page open the program. */
const OPEN = [1100, 213] as const;
/** Minimum time between two clicks, and between the dialog and a click. Chromium ignores earlier clicks. */
const CLICK_EVERY_MS = 1500;
/** Chromium logs this if it may open a program, but finds no suitable one. */
const FOUND_NONE = /failed to execvp:\s+xdg-open/;

/** Replaces all policies, as chrome://policy/test does. */
const REPLACE_POLICIES = "chrome.send('setLocalTestPolicies', ['x', '[]', ''])";

/** Returns sandboxes, and a function that reads the logs of their programs. */
async function newLoggedSandboxes() {
  const sandboxes = await newSandboxes("sandbox", "", toBrowserPrograms(findExecutables()));
  const logs: ProcessOutput[] = [];
  const open = sandboxes.create.bind(sandboxes);
  vi.spyOn(sandboxes, "create").mockImplementation(async (...given) => {
    const sandbox = await open(...given);
    const run = sandbox.run.bind(sandbox);
    vi.spyOn(sandbox, "run").mockImplementation(async (program) => {
      const process = await run(program);
      logs.push(process.log);
      return process;
    });
    return sandbox;
  });
  return { sandboxes, readLogs: () => logs.map(({ tail }) => tail).join("\n") };
}

test.each(["chrome://policy", "chrome://policy/test"])("users can't replace the policies on %s", async (page) => {
  await using rig = await openBrowserRig("sandbox");
  await using browser = await rig.open({ switches: SWITCHES });
  await using client = await drive(browser);
  const home = join(rig.traces.folder(browser.id), "home");
  plantProgram(home);
  await client.command("Extensions.loadUnpacked", { path: EXTENSION.folder });
  await (
    await openPage(client, page)
  )(REPLACE_POLICIES);
  const evaluate = await openPage(client, EXTENSION.page);
  expect(await evaluate(CONNECT)).toMatch(/disabled by the system administrator/);
  expect(hasRun(home)).toBe(false);
});

test.each([PROGRAM, "/bin/sh", "/usr/bin/python3", "/usr/bin/env", "/lib64/ld-linux-x86-64.so.2"])(
  "even without our policies, a browser can't start %s",
  async (path) => {
    const { chromium } = toBrowserPrograms(findExecutables());
    if (chromium === undefined) throw new Error("Chromium isn't installed.");
    await using rig = await openBrowserRig("sandbox", { programs: { chromium: { ...chromium, files: {} } } });
    await using browser = await rig.open({ switches: SWITCHES });
    await using client = await drive(browser);
    const home = join(rig.traces.folder(browser.id), "home");
    plantProgram(home, path);
    await client.command("Extensions.loadUnpacked", { path: EXTENSION.folder });
    const evaluate = await openPage(client, EXTENSION.page);
    expect(await evaluate(CONNECT)).toMatch(/not found|has exited|Failed to start/);
    expect(hasRun(home)).toBe(false);
  },
);

test("a page can't start a program through a scheme registered by a user, even if a viewer allows it", async () => {
  const password = "k7Rw2xQp";
  const { sandboxes, readLogs } = await newLoggedSandboxes();
  await using rig = await openBrowserRig("sandbox", { sandboxes });
  await using browser = await rig.open({ isHeadless: false });
  await browser.screen?.setPasswords({ full: password, viewOnly: "m3Tz9bVc" });
  const socket = await browser.screen?.connect(NEVER);
  if (socket === undefined) throw new Error("The graphical browser has no screen.");
  using viewer = await openRfb(socket, password);
  await using client = await drive(browser);
  const home = join(rig.traces.folder(browser.id), "home");
  plantProgram(home);
  const [page] = await pagesOf(client);
  const { evaluate } = await attachToPage(client, page?.targetId, { userGesture: true });
  await evaluate("location.href = 'planted:x'");
  let clickedMs = performance.now();
  const isDecided = (): boolean => {
    if (performance.now() - clickedMs > CLICK_EVERY_MS) {
      viewer.click(...OPEN);
      clickedMs = performance.now();
    }
    return hasRun(home) || FOUND_NONE.test(readLogs());
  };
  await until(isDecided, Boolean, 40_000);
  expect(hasRun(home)).toBe(false);
});
