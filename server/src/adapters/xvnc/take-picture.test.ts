import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CellRig, expectNothingAt, openCellRig, processesAt } from "../../../test/support/browser-rig.ts";
import { LAUNCH_TIMEOUT_MS, NEVER, PLACES, SCREEN } from "../../../test/support/real-host.ts";
import { RfbRefusal, openRfb } from "../../../test/support/rfb-client.ts";
import { until } from "../../../test/support/until.ts";
import type { Display } from "../../ports/display.ts";
import { systemClock } from "../system-clock/system-clock.ts";
import { WorkerThreads } from "../worker-threads/worker-threads.ts";
import { toPasswordFile } from "./password-file.ts";
import { xvncDisplays } from "./xvnc.ts";

const PASSWORDS = { full: "k7Rw2xQp", viewOnly: "m3Tz9bVc" };

const threads = new WorkerThreads({ atOnce: 1, clock: systemClock });
let rig: CellRig;
let display: Display;
/** All passwords that the display has made for itself. */
let own: string[];
/** Connections that there are with a screen that nobody looks at, and without it. */
let sockets: number;
let before: number;

describe.each(PLACES)("a picture of a screen in a cell that is %s", (place) => {
  beforeEach(async () => {
    rig = await openCellRig(place);
    own = [];
    before = countSockets();
    const displays = xvncDisplays({
      command: "Xvnc",
      ...SCREEN,
      startTimeoutMs: LAUNCH_TIMEOUT_MS,
      threads,
      randomBytes: (length) => {
        const bytes = randomBytes(length);
        if (length === 6) own.push(bytes.toString("base64url"));
        return bytes;
      },
    });
    display = await displays.open(rig.cell, NEVER);
    sockets = countSockets();
  });

  afterEach(async () => {
    await display[Symbol.asyncDispose]();
    await rig.cell[Symbol.asyncDispose]();
    await expectNothingAt(rig.root);
    await rig[Symbol.asyncDispose]();
    expectNoThread();
  });

  const enter = async (password: string): Promise<number> => {
    using viewer = await openRfb(await display.connect(NEVER), password);
    return (await viewer.look()).width;
  };
  const kept = (): Buffer => readFileSync(join(rig.cell.folder, ".vncpasswd"));

  test("is taken with a password of its own that nobody gets in with afterwards, not even at once", async () => {
    const { type, bytes } = await display.takeThumbnail(NEVER);
    expect(type).toBe("image/png");
    const { width, height } = PNG.sync.read(Buffer.from(bytes));
    expect([width, height]).toEqual([640, 360]);
    expect(kept()).toEqual(Buffer.alloc(0));
    expect(own).toHaveLength(2);
    for (const password of [...own, "", "\0\0\0\0\0\0\0\0"]) await expect(enter(password)).rejects.toThrow(RfbRefusal);
    await display.takeThumbnail(NEVER);
    expect(new Set(own).size).toBe(4);
    await until(countSockets, (count) => count <= sockets);
  });

  test("shuts out no viewer who was admitted, and makes no password then", async () => {
    await display.setPasswords(PASSWORDS);
    using viewer = await openRfb(await display.connect(NEVER), PASSWORDS.full);
    const taking = [1, 2, 3].map(() => display.takeThumbnail(NEVER));
    expect(await Promise.all([enter(PASSWORDS.full), enter(PASSWORDS.viewOnly)])).toEqual([1920, 1920]);
    await Promise.all(taking);
    expect((await viewer.look()).width).toBe(1920);
    expect(own).toEqual([]);
    expect(kept()).toEqual(toPasswordFile(PASSWORDS));
  });

  test("takes turns with those who start and stop the desktop", async () => {
    for (let round = 0; round < 5; round += 1) {
      const passwords = { full: `full000${round}`, viewOnly: `view000${round}` };
      const earlier = display.takeThumbnail(NEVER);
      const starting = display.setPasswords(passwords);
      const between = display.takeThumbnail(NEVER);
      await starting;
      expect(await enter(passwords.full)).toBe(1920);
      const stopping = display.setPasswords(undefined);
      const after = display.takeThumbnail(NEVER);
      await stopping;
      await expect(enter(passwords.full)).rejects.toThrow(RfbRefusal);
      await Promise.all([earlier, between, after]);
      expect(kept()).toEqual(Buffer.alloc(0));
    }
  });

  test("of a screen that hangs ends when nobody waits any more, with nobody let in and nothing held", async () => {
    const { pid } = processesAt(rig.root).find(({ line }) => line.startsWith("Xvnc ")) ?? { pid: 0 };
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, "SIGSTOP");
    const impatient = new AbortController();
    const taking = [display.takeThumbnail(impatient.signal), display.takeThumbnail(impatient.signal)];
    const refused = Promise.allSettled(taking);
    await until(kept, ({ length }) => length > 0);
    const admitting = display.setPasswords(PASSWORDS);
    impatient.abort(new Error("impatient"));
    expect(await refused).toEqual(taking.map(() => ({ status: "rejected", reason: impatient.signal.reason })));
    await admitting;
    await until(countSockets, (count) => count <= sockets);
    expect(kept()).toEqual(toPasswordFile(PASSWORDS));
    process.kill(pid, "SIGCONT");
    for (const password of own) await expect(enter(password)).rejects.toThrow(RfbRefusal);
    expect(await enter(PASSWORDS.full)).toBe(1920);
  });

  test("of a screen that is gone is none", async () => {
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

/** Unix sockets and pipes that this process has. */
function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;
}
