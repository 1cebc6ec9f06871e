import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SandboxRig, openSandboxRig } from "../../../test/support/browsers/browser-rig.ts";
import { expectNothingLeft } from "../../../test/support/browsers/traces.ts";
import { RfbRefusal, openRfb } from "../../../test/support/desktop/rfb-client.ts";
import {
  NEVER,
  ISOLATIONS,
  type Isolation,
  openDisplay,
  openWorkFolder,
} from "../../../test/support/browsers/real-host.ts";
import type { Display } from "../../ports/display.ts";
import { toScreenProgram } from "./xvnc.ts";
import { HAS_VARIANTS, variant } from "../../../test/support/variants.ts";

const SOCKETS = "/tmp/.X11-unix";

/** A size larger than the screen's. Reading the largest pictures takes long. */
const ENLARGED = HAS_VARIANTS ? { width: 3840, height: 2160 } : { width: 1930, height: 1090 };
const SMALL = { width: 301, height: 203 };

describe.each(ISOLATIONS)("with isolation %s, a running screen", (isolation) => {
  let rig: SandboxRig;
  let display: Display;

  beforeAll(async () => {
    rig = await openSandboxRig(isolation);
    display = await openDisplay(rig.sandbox, NEVER);
  });

  afterAll(async () => {
    await display[Symbol.asyncDispose]();
    await rig.sandbox[Symbol.asyncDispose]();
    await expectNothingLeft(rig.traces);
    await rig[Symbol.asyncDispose]();
  });

  test("only accepts programs with its cookie", async () => {
    const cookie = readCookie(rig, display);
    expect(await greet(isolation, rig, display, cookie)).toBe("welcome");
    expect(await greet(isolation, rig, display, Buffer.alloc(16))).toBe("refused");
    expect(await greet(isolation, rig, display, Buffer.alloc(0))).toBe("refused");
  });

  test("has its own cookie, which only the sandbox's user can read", async () => {
    const cookie = readCookie(rig, display);
    const { mode, uid } = statSync(join(rig.folder, ".Xauthority"));
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: userOf(rig) });
    await using other = await openSandboxRig(isolation);
    await using second = await openDisplay(other.sandbox, NEVER);
    expect(readCookie(other, second)).not.toEqual(cookie);
  });

  test("can be enlarged or shrunk to the requested size", async () => {
    const passwords = { full: "k7Rw2xQp", viewOnly: "m3Tz9bVc" };
    await display.setPasswords(passwords);
    for (const size of [ENLARGED, SMALL, { ...SMALL, height: 1000 }]) {
      await display.resize(size, NEVER);
      using viewer = await openRfb(await display.connect(NEVER), passwords.viewOnly);
      expect(await viewer.capture()).toMatchObject(size);
    }
    await expect(display.resize({ width: 40_000, height: 40_000 }, NEVER)).rejects.toThrow(/refused/);
    await expect(display.resize({ width: 800, height: 600 }, AbortSignal.abort(new Error("gone")))).rejects.toThrow(
      "gone",
    );
    await display.setPasswords(undefined);
  });

  test("accepts only its current passwords, on a socket that only the sandbox's user can access", async () => {
    await display.resize(SMALL, NEVER);
    const { mode, uid } = statSync(join(rig.folder, "rfb.sock"));
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: userOf(rig) });
    const today = { full: "k7Rw2xQp", viewOnly: "m3Tz9bVc" };
    const logIn = async (password: string): Promise<number> => {
      using viewer = await openRfb(await display.connect(NEVER), password);
      return (await viewer.capture()).width;
    };
    await expect(logIn(today.full)).rejects.toThrow(RfbRefusal);
    await display.setPasswords(today);
    expect(await Promise.all([logIn(today.full), logIn(today.viewOnly)])).toEqual([301, 301]);
    // Xvnc allows fewer attempts by default.
    for (let tries = 0; tries < 8; tries += 1) await expect(logIn("wrong")).rejects.toThrow(RfbRefusal);
    expect(await logIn(today.full)).toBe(301);
    await display.setPasswords({ full: "new12345", viewOnly: "new54321" });
    await expect(logIn(today.full)).rejects.toThrow(RfbRefusal);
    await display.setPasswords(undefined);
    await expect(logIn("new12345")).rejects.toThrow(RfbRefusal);
  });

  // The last test, because it ends the screen.
  test("leaves no socket in the shared folder", async () => {
    expect(socketsOf(userOf(rig))).toEqual([]);
    await display[Symbol.asyncDispose]();
    await display[Symbol.asyncDispose]();
    expect(socketsOf(userOf(rig))).toEqual([]);
  });
});

describe.each(ISOLATIONS)("with isolation %s, a screen", (isolation) => {
  let rig: SandboxRig;

  beforeEach(async () => {
    rig = await openSandboxRig(isolation);
  });

  afterEach(async () => {
    await rig.sandbox[Symbol.asyncDispose]();
    await expectNothingLeft(rig.traces);
    await rig[Symbol.asyncDispose]();
  });

  test("reports its end", async () => {
    await using display = await openDisplay(rig.sandbox, NEVER);
    const xvnc = rig.traces.processes().find(({ line }) => line.startsWith("Xvnc "));
    if (xvnc === undefined) throw new Error("No Xvnc runs.");
    process.kill(xvnc.pid, "SIGKILL");
    expect(await display.gone).toBeUndefined();
  });

  test("leaves nothing behind when its start is aborted", async () => {
    const reason = new Error("aborted");
    await expect(openDisplay(rig.sandbox, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    await using other = await openSandboxRig(isolation);
    const opening = openDisplay(other.sandbox, controller.signal);
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
  });
});

test.each(ISOLATIONS)(
  "with isolation %s, a screen that isn't installed fails to start, and says why",
  async (isolation) => {
    await using rig = await openSandboxRig(isolation, toScreenProgram("no-such-Xvnc"));
    await expect(openDisplay(rig.sandbox, NEVER)).rejects.toMatchObject({
      failure: "BrowserUnavailable",
      message: expect.stringContaining("Headless"),
      cause: { message: expect.stringMatching(/exited with .*no-such-Xvnc/s) },
    });
  },
);

describe("a screen whose program", () => {
  test.each([
    ["hangs", "echo thinking >&2; exec sleep 1000", /was not ready in 300 ms.*thinking/s],
    ["exits at once", "echo no memory >&2; exit 4", /exited with 4\. Its log ends: no memory/],
    ["writes something else", "exec yes garbage", /was not ready in 300 ms/],
  ])("%s is a failure with its log, and nothing is held", async (_, script, cause) => {
    using folder = openWorkFolder();
    chmodSync(folder.path, 0o711);
    const file = join(folder.path, "faulty");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    await using rig = await openSandboxRig("none", toScreenProgram(file));
    await expect(openDisplay(rig.sandbox, NEVER, 300)).rejects.toMatchObject({
      failure: "BrowserUnavailable",
      cause: { message: expect.stringMatching(cause) },
    });
    await rig.sandbox[Symbol.asyncDispose]();
    await expectNothingLeft(rig.traces);
  });
});

/** Returns the last 16 bytes of the Xauthority file that programs use. */
function readCookie({ folder }: SandboxRig, { environment }: Display): Buffer {
  return readFileSync(join(folder, basename(environment["XAUTHORITY"] ?? ""))).subarray(-16);
}

/** Opens an X11 connection by hand (X Window System Protocol, section 8). */
async function greet(isolation: Isolation, { folder }: SandboxRig, display: Display, cookie: Buffer): Promise<string> {
  const name = `X${display.environment["DISPLAY"]?.slice(1)}`;
  const path = isolation === "sandbox" ? join(folder, "../tmp/.X11-unix", name) : `\0${SOCKETS}/${name}`;
  const protocol = cookie.length === 0 ? "" : "MIT-MAGIC-COOKIE-1";
  const head = Buffer.alloc(12);
  head.write("l");
  head.writeUInt16LE(11, 2);
  head.writeUInt16LE(protocol.length, 6);
  head.writeUInt16LE(cookie.length, 8);
  const socket = connect(path);
  socket.write(Buffer.concat([head, Buffer.from(protocol.padEnd(Math.ceil(protocol.length / 4) * 4, "\0")), cookie]));
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer[0] === 1 ? "welcome" : "refused";
}

/** Returns the user that the sandbox's programs run as. */
function userOf({ folder }: SandboxRig): number {
  return statSync(folder).uid;
}

function socketsOf(user: number): string[] {
  if (!existsSync(SOCKETS)) return [];
  return [SOCKETS, ...readdirSync(SOCKETS).map((name) => join(SOCKETS, name))].filter(
    (path) => user !== process.getuid?.() && statSync(path, { throwIfNoEntry: false })?.uid === user,
  );
}

const SCREENS = 20;

variant.each(ISOLATIONS)(
  `with isolation %s, ${SCREENS} screens that start at the same time leave nothing behind`,
  async (isolation) => {
    const rigs = await Promise.all(Array.from({ length: SCREENS }, () => openSandboxRig(isolation)));
    const opened = await Promise.all(rigs.map(({ sandbox }) => openDisplay(sandbox, NEVER)));
    const numbers = opened.map(({ environment }) => environment["DISPLAY"]);
    // Each sandbox has its own display numbers. On the host, each screen needs a different number.
    expect(new Set(numbers).size).toBe(isolation === "sandbox" ? 1 : SCREENS);
    await Promise.all(opened.map((display) => display[Symbol.asyncDispose]()));
    await Promise.all(rigs.map(({ sandbox }) => sandbox[Symbol.asyncDispose]()));
    for (const rig of rigs) {
      await expectNothingLeft(rig.traces);
      await rig[Symbol.asyncDispose]();
    }
  },
);
