import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type BrowserRig, expectNothingAt, openBrowserRig } from "../../../test/support/browser-rig.ts";
import { PLACES, displays, isolate, openWorkFolder, type WorkFolder } from "../../../test/support/real-host.ts";
import type { Executables } from "./executables.ts";
import type { ChromiumOptions } from "./chromium-host.ts";

/** Programs in a browser's place, by what is wrong with them; and what the operator reads about each. */
const FAULTS: [string, string, RegExp][] = [
  ["is missing", "", /exited with \d+\. Its log ends: .*faulty/s],
  ["exits at once", "#!/bin/sh\necho no disk left >&2; exit 7", /exited with 7\. Its log ends: .*no disk left/s],
  ["is killed", "#!/bin/sh\necho out of memory >&2; kill -9 $$", /exited with (?:137|SIGKILL)\..*out of memory/s],
  ["hangs", "#!/bin/sh\necho thinking >&2; exec sleep 1000", /was not ready in 500 ms\..*thinking/s],
  ["prints garbage", "#!/bin/sh\nexec tr -dc '[:print:]\\n' </dev/urandom >&2", /was not ready in 500 ms\./],
  [
    "promises DevTools that don't answer",
    "#!/bin/sh\necho 'DevTools listening on ws://127.0.0.1:9222/devtools/browser/x' >&2; exec sleep 1000",
    /(?:did not come up|was not ready in 500 ms)\..*DevTools listening/s,
  ],
];

function faulty(folder: WorkFolder, script: string): Executables {
  const programs = join(folder.path, "programs");
  mkdirSync(programs);
  chmodSync(folder.path, 0o755);
  const path = join(programs, "faulty");
  if (script !== "") writeFileSync(path, `${script}\n`, { mode: 0o755 });
  return new Map([["chromium", { path, reads: [programs] }]]);
}

async function expectRefused(rig: BrowserRig, cause: RegExp, isHeadless = true): Promise<void> {
  await expect(rig.open({ isHeadless })).rejects.toMatchObject({
    failure: "BrowserUnavailable",
    message: expect.stringMatching(/^Chromium \(2\) did not start; .*log\.$/),
    cause: { message: expect.stringMatching(cause) },
  });
  await rig.expectNothingHeld();
}

describe.each(PLACES)("in a cell that is %s, a browser's program that", (place) => {
  test.each(FAULTS)("%s is a failure with the end of its log, and nothing is held", async (_, script, cause) => {
    using folder = openWorkFolder();
    await using rig = await openBrowserRig(place, { executables: faulty(folder, script), launchTimeoutMs: 500 });
    await expectRefused(rig, cause);
  });
});

test("a graphical browser that does not start gives its screen back", async () => {
  using folder = openWorkFolder();
  const executables = faulty(folder, "#!/bin/sh\nexit 7");
  await using rig = await openBrowserRig("jail", { executables });
  await expectRefused(rig, /exited with 7/, false);
});

test("a screen that does not start is a failure of its own, and nothing is held", async () => {
  await using rig = await openBrowserRig("jail", { displays: displays("no-such-Xvnc") });
  await expect(rig.open({ isHeadless: false })).rejects.toMatchObject({
    failure: "BrowserUnavailable",
    message: expect.stringContaining("screen"),
  });
  await rig.expectNothingHeld();
});

test("a way out that can't be opened is a failure, and nothing is held", async () => {
  await using rig = await openBrowserRig("jail");
  rig.egress.failure = new Error("no more files");
  await expect(rig.open()).rejects.toMatchObject({ failure: "BrowserUnavailable", cause: rig.egress.failure });
  await rig.expectNothingHeld();
});

test("a cell that can't be made is a failure, and nothing is held", async () => {
  await using rig = await openBrowserRig("jail");
  await expect(rig.open({ id: "no/such/place" })).rejects.toMatchObject({
    failure: "BrowserUnavailable",
    cause: { code: "ENOENT" },
  });
  await rig.expectNothingHeld();
});

describe("a launch that nobody waits for any more", () => {
  const REASON = new Error("the caller has left");

  /** Aborts as soon as a part of the launch has begun. */
  function aborting(
    moment: "cell" | "screen" | "browser",
    controller: AbortController,
    root: string,
  ): Partial<ChromiumOptions> {
    const [inner, screens] = [isolate("jail", root), displays()];
    const abort = (): void => controller.abort(REASON);
    return {
      isolation: {
        prepare: () => inner.prepare(),
        async newSandbox(id) {
          const making = inner.newSandbox(id);
          if (moment === "cell") abort();
          const cell = await making;
          const run = cell.run.bind(cell);
          vi.spyOn(cell, "run").mockImplementation((program) => {
            if (moment === "browser" && program.isBrowser) queueMicrotask(abort);
            return run(program);
          });
          return cell;
        },
      },
      displays: {
        open(cell, signal) {
          const opening = screens.open(cell, signal);
          if (moment === "screen") abort();
          return opening;
        },
      },
    };
  }

  test.each(["cell", "screen", "browser"] as const)("while its %s is made is given back", async (moment) => {
    using folder = openWorkFolder();
    chmodSync(folder.path, 0o711);
    const controller = new AbortController();
    await using rig = await openBrowserRig("jail", aborting(moment, controller, folder.path));
    await expect(rig.open({ isHeadless: false }, controller.signal)).rejects.toBe(REASON);
    await expectNothingAt(folder.path);
    await rig.expectNothingHeld();
  });

  test.each(PLACES)("at any moment of its start is given back, in a cell that is %s", async (place) => {
    await using rig = await openBrowserRig(place);
    const delays = [0, 5, 10, 15, 20, 30, 50, 80, 120];
    const launches = delays.map(async (delayMs) => {
      const controller = new AbortController();
      const launch = rig.open({}, controller.signal).catch((error: unknown) => error);
      await wait(delayMs);
      controller.abort(REASON);
      return launch;
    });
    expect(await Promise.all(launches)).toEqual(delays.map(() => REASON));
    await rig.expectNothingHeld();
  });

  test("before it began rejects at once", async () => {
    await using rig = await openBrowserRig("jail");
    await expect(rig.open({}, AbortSignal.abort(REASON))).rejects.toBe(REASON);
    await rig.expectNothingHeld();
  });

  test("because the host is disposed is given back before that is done", async () => {
    await using rig = await openBrowserRig("jail");
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
