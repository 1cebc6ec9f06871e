import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CellRig, expectNothingAt, openCellRig, processesAt } from "../../../test/support/browser-rig.ts";
import { RfbRefusal, openRfb } from "../../../test/support/rfb-client.ts";
import { NEVER, PLACES, type Place, displays } from "../../../test/support/real-host.ts";
import type { Display } from "../../ports/display.ts";
import type { Sandbox } from "../../ports/sandboxes.ts";

const SOCKETS = "/tmp/.X11-unix";

describe.each(PLACES)("a screen in a cell that is %s", (place) => {
  let rig: CellRig;

  beforeEach(async () => {
    rig = await openCellRig(place);
  });

  afterEach(async () => {
    await rig.cell[Symbol.asyncDispose]();
    await expectNothingAt(rig.root);
    await rig[Symbol.asyncDispose]();
  });

  test("takes the programs that know its cookie, and no others", async () => {
    await using display = await displays().open(rig.cell, NEVER);
    const cookie = readCookie(rig, display);
    expect(await greet(place, rig, display, cookie)).toBe("welcome");
    expect(await greet(place, rig, display, Buffer.alloc(16))).toBe("refused");
    expect(await greet(place, rig, display, Buffer.alloc(0))).toBe("refused");
  });

  test("has a cookie of its own, that none but the cell's user reads", async () => {
    const first = await displays().open(rig.cell, NEVER);
    const cookie = readCookie(rig, first);
    const { mode, uid } = statSync(join(rig.cell.folder, ".Xauthority"));
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: userOf(rig.cell) });
    await first[Symbol.asyncDispose]();
    await using other = await openCellRig(place);
    await using second = await displays().open(other.cell, NEVER);
    expect(readCookie(other, second)).not.toEqual(cookie);
  });

  test("lets in who knows one of the passwords of the moment, by a socket that none but the cell's user reaches", async () => {
    await using display = await displays().open(rig.cell, NEVER);
    const { mode, uid } = statSync(join(rig.cell.folder, "rfb.sock"));
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: userOf(rig.cell) });
    const today = { full: "k7Rw2xQp", viewOnly: "m3Tz9bVc" };
    const enter = async (password: string): Promise<number> => {
      using viewer = await openRfb(await display.connect(NEVER), password);
      return (await viewer.look()).width;
    };
    await expect(enter(today.full)).rejects.toThrow(RfbRefusal);
    await display.setPasswords(today);
    expect(await Promise.all([enter(today.full), enter(today.viewOnly)])).toEqual([1920, 1920]);
    // More often than Xvnc by itself would forgive.
    for (let tries = 0; tries < 8; tries += 1) await expect(enter("wrong")).rejects.toThrow(RfbRefusal);
    expect(await enter(today.full)).toBe(1920);
    await display.setPasswords({ full: "new12345", viewOnly: "new54321" });
    await expect(enter(today.full)).rejects.toThrow(RfbRefusal);
    await display.setPasswords(undefined);
    await expect(enter("new12345")).rejects.toThrow(RfbRefusal);
  });

  test("leaves no socket behind in a folder that all users share", async () => {
    const display = await displays().open(rig.cell, NEVER);
    expect(socketsOf(userOf(rig.cell))).toEqual([]);
    await display[Symbol.asyncDispose]();
    await display[Symbol.asyncDispose]();
    expect(socketsOf(userOf(rig.cell))).toEqual([]);
  });

  test("says when it is gone", async () => {
    await using display = await displays().open(rig.cell, NEVER);
    const xvnc = processesAt(rig.root).find(({ line }) => line.startsWith("Xvnc "));
    if (xvnc === undefined) throw new Error("There is no Xvnc.");
    process.kill(xvnc.pid, "SIGKILL");
    expect(await display.gone).toBeUndefined();
  });

  test("that is not installed is a failure that says so to the operator", async () => {
    await expect(displays("no-such-Xvnc").open(rig.cell, NEVER)).rejects.toMatchObject({
      failure: "BrowserUnavailable",
      message: expect.stringContaining("Headless"),
      cause: { message: expect.stringMatching(/exited with .*no-such-Xvnc/s) },
    });
  });

  test("that nobody waits for any more is given back", async () => {
    const reason = new Error("nobody wants it");
    await expect(displays().open(rig.cell, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    await using other = await openCellRig(place);
    const opening = displays().open(other.cell, controller.signal);
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
  });
});

describe("a screen whose program", () => {
  let rig: CellRig;

  beforeEach(async () => {
    rig = await openCellRig("unconfined");
  });

  afterEach(async () => {
    await rig.cell[Symbol.asyncDispose]();
    await expectNothingAt(rig.root);
    await rig[Symbol.asyncDispose]();
  });

  test.each([
    ["hangs", "echo thinking >&2; exec sleep 1000", /was not ready in 300 ms.*thinking/s],
    ["exits at once", "echo no memory >&2; exit 4", /exited with 4\. Its log ends: no memory/],
    ["writes something else", "exec yes garbage", /was not ready in 300 ms/],
  ])("%s is a failure with its log, and holds nothing", async (_, script, cause) => {
    const file = join(rig.cell.folder, "faulty");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    await expect(displays(file, 300).open(rig.cell, NEVER)).rejects.toMatchObject({
      failure: "BrowserUnavailable",
      cause: { message: expect.stringMatching(cause) },
    });
  });
});

/** The last 16 bytes of the Xauthority file that programs are pointed to. */
function readCookie({ cell }: CellRig, { environment }: Display): Buffer {
  return readFileSync(join(cell.folder, basename(environment["XAUTHORITY"] ?? ""))).subarray(-16);
}

/** Sets up an X11 connection by hand (X Window System Protocol, section 8). */
async function greet(place: Place, { cell }: CellRig, display: Display, cookie: Buffer): Promise<string> {
  const name = `X${display.environment["DISPLAY"]?.slice(1)}`;
  const path = place === "jail" ? join(cell.folder, "../tmp/.X11-unix", name) : `\0${SOCKETS}/${name}`;
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

/** Who the cell's programs run as. */
function userOf(cell: Sandbox): number {
  return statSync(cell.folder).uid;
}

function socketsOf(user: number): string[] {
  if (!existsSync(SOCKETS)) return [];
  return [SOCKETS, ...readdirSync(SOCKETS).map((name) => join(SOCKETS, name))].filter(
    (path) => user !== process.getuid?.() && statSync(path, { throwIfNoEntry: false })?.uid === user,
  );
}

test.each(PLACES)(
  "60 screens at once, each in a cell that is %s, all come up, and nothing of them stays",
  async (place) => {
    const rigs = await Promise.all(Array.from({ length: 60 }, () => openCellRig(place)));
    const opened = await Promise.all(rigs.map(({ cell }) => displays().open(cell, NEVER)));
    const numbers = opened.map(({ environment }) => environment["DISPLAY"]);
    // Jails have numbers of their own; on the host each has to have another one.
    expect(new Set(numbers).size).toBe(place === "jail" ? 1 : 60);
    await Promise.all(opened.map((display) => display[Symbol.asyncDispose]()));
    await Promise.all(rigs.map(({ cell }) => cell[Symbol.asyncDispose]()));
    for (const rig of rigs) {
      await expectNothingAt(rig.root);
      await rig[Symbol.asyncDispose]();
    }
  },
);
