import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type BrowserRig, TOOLS, openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import {
  ISOLATIONS,
  LAUNCH_TIMEOUT_MS,
  displays,
  newSandboxes,
  openWorkFolder,
  type TestSandboxes,
  type WorkFolder,
} from "../../../test/support/browsers/real-host.ts";
import type { Displays } from "../../ports/display.ts";
import { toScreenProgram } from "../xvnc/xvnc.ts";
import { type Executables, findExecutables, toBrowserPrograms } from "./launch/executables.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";

/**
 * Faulty programs that replace the browser, each with its expected error message and, optionally, a start time limit in
 * ms.
 */
const FAULTS: [string, string, RegExp, number?][] = [
  ["exits at once", "#!/bin/sh\necho no disk left >&2; exit 7", /exited with 7\. Its log ends: .*no disk left/s],
  ["hangs", "#!/bin/sh\necho thinking >&2; exec sleep 1000", /was not ready in 1500 ms\..*thinking/s, 1500],
  [
    "logs a DevTools address that doesn't respond",
    "#!/bin/sh\necho 'DevTools listening on ws://127.0.0.1:9222/devtools/browser/x' >&2; exec sleep 1000",
    /(?:did not come up|was not ready in 1500 ms)\..*DevTools listening/s,
    1500,
  ],
];
if (HAS_VARIANTS) {
  FAULTS.push(
    ["is missing", "", /exited with \d+\. Its log ends: .*faulty/s],
    ["is killed", "#!/bin/sh\necho out of memory >&2; kill -9 $$", /exited with (?:137|SIGKILL)\..*out of memory/s],
    ["prints garbage", "#!/bin/sh\nexec tr -dc '[:print:]\\n' </dev/urandom >&2", /was not ready in 500 ms\./, 500],
  );
}

function faulty(folder: WorkFolder, script: string): Executables {
  const programs = join(folder.path, "programs");
  mkdirSync(programs);
  chmodSync(folder.path, 0o755);
  const path = join(programs, "faulty");
  if (script !== "") writeFileSync(path, `${script}\n`, { mode: 0o755 });
  return new Map([["chromium", { path, reads: [programs, ...TOOLS] }]]);
}

async function expectRefused(rig: BrowserRig, cause: RegExp, isHeadless = true): Promise<void> {
  await expect(rig.open({ isHeadless })).rejects.toMatchObject({
    failure: "BrowserUnavailable",
    message: expect.stringMatching(/^Chromium \(2\) did not start; .*log\.$/),
    cause: { message: expect.stringMatching(cause) },
  });
  await rig.expectNothingHeld();
}

describe.each(ISOLATIONS)("with isolation %s, a browser's program that", (isolation) => {
  test.each(FAULTS)(
    "%s is a failure with the end of its log, and everything is released",
    async (_, script, cause, launchTimeoutMs = LAUNCH_TIMEOUT_MS) => {
      using folder = openWorkFolder();
      await using rig = await openBrowserRig(isolation, { executables: faulty(folder, script), launchTimeoutMs });
      await expectRefused(rig, cause);
    },
  );
});

test("a graphical browser that fails to start releases its screen", async () => {
  using folder = openWorkFolder();
  const executables = faulty(folder, "#!/bin/sh\nexit 7");
  await using rig = await openBrowserRig("sandbox", { executables });
  await expectRefused(rig, /exited with 7/, false);
});

test("a browser that fails to start doesn't wait for a screen that hangs", async () => {
  using folder = openWorkFolder();
  const executables = faulty(folder, "#!/bin/sh\nexit 7");
  const screen = { command: ["/bin/sh", "-c", "exec sleep 1000"], reads: TOOLS, isBrowser: false, isFirst: true };
  await using rig = await openBrowserRig("sandbox", { executables, programs: { screen } });
  const startedMs = performance.now();
  await expectRefused(rig, /exited with 7/, false);
  expect(performance.now() - startedMs).toBeLessThan(LAUNCH_TIMEOUT_MS / 2);
});

test("if a screen fails to start, the error says so, and everything is released", async () => {
  await using rig = await openBrowserRig("sandbox", { programs: toScreenProgram("no-such-Xvnc") });
  await expect(rig.open({ isHeadless: false })).rejects.toMatchObject({
    failure: "BrowserUnavailable",
    message: expect.stringContaining("screen"),
  });
  await rig.expectNothingHeld();
});

test("if its sandbox or egress proxy can't be created, a launch fails, and everything is released", async () => {
  await using rig = await openBrowserRig("sandbox");
  await expect(rig.open({ id: "no/such/place" })).rejects.toMatchObject({
    failure: "BrowserUnavailable",
    cause: { message: expect.stringContaining("no valid id") },
  });
  await rig.expectNothingHeld();
  rig.egress.failure = new Error("no more files");
  await expect(rig.open()).rejects.toMatchObject({ failure: "BrowserUnavailable", cause: rig.egress.failure });
  await rig.expectNothingHeld();
});

describe("an aborted launch", () => {
  const REASON = new Error("the caller has disconnected");

  /** Returns sandboxes and displays that abort the launch as soon as the given step has begun. */
  async function aborting(
    moment: "sandbox" | "screen" | "browser",
    controller: AbortController,
  ): Promise<{ readonly sandboxes: TestSandboxes; readonly displays: Displays }> {
    const programs = toBrowserPrograms(findExecutables());
    const [inner, screens] = [await newSandboxes("sandbox", "", programs), displays()];
    const abort = (): void => controller.abort(REASON);
    return {
      sandboxes: {
        traces: inner.traces,
        [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
        async create(id) {
          const making = inner.create(id);
          if (moment === "sandbox") abort();
          const sandbox = await making;
          const run = sandbox.run.bind(sandbox);
          vi.spyOn(sandbox, "run").mockImplementation((program) => {
            if (moment === "browser" && program.name === "chromium") queueMicrotask(abort);
            return run(program);
          });
          return sandbox;
        },
      },
      displays: {
        start(sandbox, signal) {
          const opening = screens.start(sandbox, signal);
          if (moment === "screen") abort();
          return opening;
        },
      },
    };
  }

  test.each(HAS_VARIANTS ? (["sandbox", "screen", "browser"] as const) : (["screen"] as const))(
    "leaves nothing behind if aborted while its %s was starting",
    async (moment) => {
      const controller = new AbortController();
      const changes = await aborting(moment, controller);
      await using rig = await openBrowserRig("sandbox", changes);
      await expect(rig.open({ isHeadless: false }, controller.signal)).rejects.toBe(REASON);
      await rig.expectNothingHeld();
    },
  );

  test.each(ISOLATIONS)(
    "is rejected and leaves nothing behind, no matter when it is aborted, with isolation %s",
    async (isolation) => {
      await using rig = await openBrowserRig(isolation);
      const delays = HAS_VARIANTS ? [0, 5, 10, 15, 20, 30, 50, 80, 120] : [0, 10, 30, 80];
      const launches = delays.map(async (delayMs) => {
        const controller = new AbortController();
        const launch = rig.open({}, controller.signal).catch((error: unknown) => error);
        await wait(delayMs);
        controller.abort(REASON);
        return launch;
      });
      expect(await Promise.all(launches)).toEqual(delays.map(() => REASON));
      // This launch is aborted before it begins.
      await expect(rig.open({}, AbortSignal.abort(REASON))).rejects.toBe(REASON);
      await rig.expectNothingHeld();
    },
  );

  test("leaves nothing behind when the host is disposed", async () => {
    await using rig = await openBrowserRig("sandbox");
    const launches = [true, false].map((isHeadless) => rig.open({ isHeadless }));
    const outcomes = Promise.allSettled(launches);
    await wait(50);
    await rig.host[Symbol.asyncDispose]();
    expect(rig.egress.held).toBe(0);
    const reason = { failure: "BrowserUnavailable", message: expect.stringContaining("shutting down") };
    expect(await outcomes).toMatchObject(launches.map(() => ({ status: "rejected", reason })));
    await rig.expectNothingHeld();
  });
});
