import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SandboxRig, openSandboxRig } from "../../../test/support/browsers/browser-rig.ts";
import { expectNothingLeft } from "../../../test/support/browsers/traces.ts";
import { LAUNCH_TIMEOUT_MS, NEVER, ISOLATIONS } from "../../../test/support/browsers/real-host.ts";
import { RfbRefusal, openRfb } from "../../../test/support/desktop/rfb-client.ts";
import { until } from "../../../test/support/until.ts";
import type { Display } from "../../ports/display.ts";
import { systemClock } from "../node/system-clock.ts";
import { WorkerThreads } from "../node/worker-threads.ts";
import { toPasswordFile } from "./screen-passwords.ts";
import { newXvncDisplays } from "./xvnc.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";

/** A quarter of the usual screen, because compressing and reading large pictures takes most of the time. */
const SCREEN = { width: 960, height: 540 };
/** How often the desktop starts and stops. */
const ROUNDS = HAS_VARIANTS ? 2 : 1;
const PASSWORDS = { full: "k7Rw2xQp", viewOnly: "m3Tz9bVc" };

const threads = new WorkerThreads({ atOnce: 1, clock: systemClock });
let rig: SandboxRig;
let display: Display;
/** All passwords that the display has generated for its own use. */
let own: string[] = [];
/** Number of open connections while the screen is idle, and without a screen. */
let sockets: number;
let before: number;

describe.each(ISOLATIONS)("with isolation %s, a picture", (isolation) => {
  // All tests share a screen, and the last one ends it.
  beforeAll(async () => {
    rig = await openSandboxRig(isolation);
    before = countSockets();
    const displays = newXvncDisplays({
      ...SCREEN,
      startTimeoutMs: LAUNCH_TIMEOUT_MS,
      threads,
      randomBytes: (length) => {
        const bytes = randomBytes(length);
        if (length === 6) own.push(bytes.toString("base64url"));
        return bytes;
      },
    });
    display = await displays.start(rig.sandbox, NEVER);
    await display.ready;
    sockets = countSockets();
  });

  beforeEach(() => {
    own = [];
  });

  afterEach(expectNoThread);

  afterAll(async () => {
    await display[Symbol.asyncDispose]();
    await rig.sandbox[Symbol.asyncDispose]();
    await expectNothingLeft(rig.traces);
    await rig[Symbol.asyncDispose]();
  });

  const logIn = async (password: string): Promise<number> => {
    using viewer = await openRfb(await display.connect(NEVER), password);
    return (await viewer.capture()).width;
  };
  const passwordFile = (): Buffer => readFileSync(join(rig.folder, ".vncpasswd"));

  test("is taken with a temporary password that stops working immediately", async () => {
    const { type, bytes } = await display.takeThumbnail(NEVER);
    expect(type).toBe("image/png");
    const { width, height } = PNG.sync.read(Buffer.from(bytes));
    expect([width, height]).toEqual([SCREEN.width / 2, SCREEN.height / 2]);
    expect(passwordFile()).toEqual(Buffer.alloc(0));
    expect(own).toHaveLength(2);
    for (const password of [...own, "", "\0\0\0\0\0\0\0\0"]) await expect(logIn(password)).rejects.toThrow(RfbRefusal);
    await display.takeThumbnail(NEVER);
    expect(new Set(own).size).toBe(4);
    await until(countSockets, (count) => count <= sockets);
  });

  test("doesn't disturb viewers, and uses their view-only password", async () => {
    await display.setPasswords(PASSWORDS);
    using viewer = await openRfb(await display.connect(NEVER), PASSWORDS.full);
    const taking = [1, 2, 3].map(() => display.takeThumbnail(NEVER));
    expect(await Promise.all([logIn(PASSWORDS.full), logIn(PASSWORDS.viewOnly)])).toEqual([SCREEN.width, SCREEN.width]);
    await Promise.all(taking);
    expect((await viewer.capture()).width).toBe(SCREEN.width);
    expect(own).toEqual([]);
    expect(passwordFile()).toEqual(toPasswordFile(PASSWORDS));
    await display.setPasswords(undefined);
  });

  test("isn't taken while the desktop starts or stops", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const passwords = { full: `full000${round}`, viewOnly: `view000${round}` };
      const earlier = display.takeThumbnail(NEVER);
      const starting = display.setPasswords(passwords);
      const between = display.takeThumbnail(NEVER);
      await starting;
      expect(await logIn(passwords.full)).toBe(SCREEN.width);
      const stopping = display.setPasswords(undefined);
      const after = display.takeThumbnail(NEVER);
      await stopping;
      await expect(logIn(passwords.full)).rejects.toThrow(RfbRefusal);
      await Promise.all([earlier, between, after]);
      expect(passwordFile()).toEqual(Buffer.alloc(0));
    }
  });

  test("of a screen that hangs can be aborted, which releases all resources and removes temporary passwords", async () => {
    const { pid } = rig.traces.processes().find(({ line }) => line.startsWith("Xvnc ")) ?? { pid: 0 };
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, "SIGSTOP");
    const controller = new AbortController();
    const taking = [display.takeThumbnail(controller.signal), display.takeThumbnail(controller.signal)];
    const refused = Promise.allSettled(taking);
    await until(passwordFile, ({ length }) => length > 0);
    const setting = display.setPasswords(PASSWORDS);
    controller.abort(new Error("aborted"));
    expect(await refused).toEqual(taking.map(() => ({ status: "rejected", reason: controller.signal.reason })));
    await setting;
    await until(countSockets, (count) => count <= sockets);
    expect(passwordFile()).toEqual(toPasswordFile(PASSWORDS));
    process.kill(pid, "SIGCONT");
    for (const password of own) await expect(logIn(password)).rejects.toThrow(RfbRefusal);
    expect(await logIn(PASSWORDS.full)).toBe(SCREEN.width);
    await display.setPasswords(undefined);
  });

  test("fails if the screen has ended", async () => {
    const taking = display.takeThumbnail(NEVER).catch((error: unknown) => error);
    await display[Symbol.asyncDispose]();
    expect(await taking).toBeInstanceOf(Error);
    await expect(display.takeThumbnail(NEVER)).rejects.toThrow();
    await expect(display.takeThumbnail(AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
    await until(countSockets, (count) => count <= before);
  });
});

function expectNoThread(): void {
  expect(threads.held).toBe(0);
}

/** Counts the Unix sockets and pipes of this process. */
function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;
}
