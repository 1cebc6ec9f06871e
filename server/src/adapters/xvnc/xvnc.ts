import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/failure.ts";
import type { Display, Displays } from "../../ports/display.ts";
import type { Programs, Run, Sandbox, SandboxSocket } from "../../ports/sandboxes.ts";
import type { Threads } from "../../ports/threads.ts";
import { connectTo } from "../rfb/connect-to.ts";
import { toUint16 } from "../rfb/rfb-bytes.ts";
import { ScreenPasswords } from "./screen-passwords.ts";
import { captureScreen } from "./capture-screen.ts";
import { resizeScreen } from "./resize-screen.ts";
import { COOKIE_NAME } from "./x11-client.ts";
import { DISPLAY_FD, WITH_WINDOW_MANAGER, configureWindows } from "./window-manager.ts";

const AUTHORITY_FILE = ".Xauthority";
const PASSWORD_FILE = ".vncpasswd";
const RFB_SOCKET = "rfb.sock";

const COOKIE_BYTES = 16;
/** Matches every display in an Xauthority file. */
const FAMILY_WILD = 0xffff;

/** 8 base64url characters, the maximum for VncAuth. */
const PASSWORD_RANDOM_BYTES = 6;

const SCREEN = "screen";

/** A screen's programs: the script's shell, and the programs that the script and Xvnc start. */
const SCREEN_PROGRAMS = ["/bin/sh", "/usr/bin/mkfifo", "/usr/bin/Xvnc", "/usr/bin/openbox", "/usr/bin/xkbcomp"];

/** The display number in a sandbox. */
const OWN_DISPLAY = "0";

/** Whether Xvnc is installed at its usual path, where sandboxes look for it. */
export function hasXvnc(): boolean {
  return existsSync("/usr/bin/Xvnc");
}

/** Returns the screen's program, to be run in sandboxes. @param xvnc The path or name of Xvnc. */
export function toScreenProgram(xvnc = "Xvnc"): Programs {
  const command = ["/bin/sh", "-c", WITH_WINDOW_MANAGER, "sh", xvnc];
  const listensOn = `tmp/.X11-unix/X${OWN_DISPLAY}`;
  return { [SCREEN]: { command, reads: SCREEN_PROGRAMS, isBrowser: false, isFirst: true, listensOn } };
}

type XvncOptions = {
  /** Size of the screen in pixels. */
  readonly width: number;
  readonly height: number;
  readonly startTimeoutMs: number;
  readonly randomBytes: (length: number) => Buffer;
  readonly threads: Threads;
};

/**
 * Starts an X server for each browser, in sandboxes that can run the screen's program. Viewers connect to a socket in
 * the sandbox's folder. All logins are rejected until passwords are set.
 */
export function newXvncDisplays(options: XvncOptions): Displays {
  return { start: (sandbox, signal) => startOrFail(sandbox, signal, options) };
}

async function startOrFail(sandbox: Sandbox, signal: AbortSignal, options: XvncOptions): Promise<Display> {
  try {
    return await startDisplay(sandbox, signal, options);
  } catch (cause) {
    throw signal.aborted ? signal.reason : toFailure(cause);
  }
}

async function startDisplay(sandbox: Sandbox, signal: AbortSignal, options: XvncOptions): Promise<Display> {
  const { randomBytes, startTimeoutMs, threads } = options;
  const cookie = randomBytes(COOKIE_BYTES);
  const authority = toXauthority(cookie);
  await Promise.all([sandbox.writeFile(AUTHORITY_FILE, authority), configureWindows(sandbox)]);
  await using acquired = new AsyncDisposableStack();
  const passwordFile = acquired.use(await sandbox.holdFile(PASSWORD_FILE));
  const xvnc = acquired.use(await sandbox.run(toRun(sandbox, options)));
  const starting = xvnc.whenReady(xvnc.output.find(/^(\d+)\n/), startTimeoutMs, signal);
  // In a sandbox, clients use a socket that exists before Xvnc starts. On the host, Xvnc chooses the display number.
  const number = sandbox.isIsolated ? OWN_DISPLAY : (await starting)[1];
  // The socket is opened before pages run in this sandbox, because pages could replace it.
  const rfb = starting.then(() => sandbox.holdSocket(RFB_SOCKET));
  const x11 = sandbox.isIsolated ? sandbox.holdListener(SCREEN) : Promise.resolve(toAbstractSocket(number));
  // Errors are ignored here, because this socket is only needed to resize the screen.
  x11.catch(() => {});
  acquired.defer(async () => {
    // Stop the program first, so that `rfb` settles.
    await xvnc[Symbol.asyncDispose]();
    await rfb.then((held) => held[Symbol.asyncDispose]()).catch(() => {});
    await x11.then((held) => held[Symbol.asyncDispose]()).catch(() => {});
  });
  const passwords = new ScreenPasswords(passwordFile, () => randomBytes(PASSWORD_RANDOM_BYTES).toString("base64url"));
  const ready = rfb.then(
    () => {},
    (cause: unknown) => {
      throw signal.aborted ? signal.reason : toFailure(cause);
    },
  );
  // The caller may fail before it awaits `ready`.
  ready.catch(() => {});
  const resources = acquired.move();
  return {
    ready,
    setPasswords: (newPasswords) => passwords.set(newPasswords),
    connect: async (connecting) => (await rfb).connect(connecting),
    environment: { DISPLAY: `:${number}`, XAUTHORITY: join(sandbox.home, AUTHORITY_FILE) },
    gone: xvnc.ended.then(() => {}),
    takeThumbnail: async (taking) => captureScreen(await rfb, passwords, threads, "small", taking),
    takeScreenshot: async (taking) => captureScreen(await rfb, passwords, threads, "full", taking),
    resize: async (size, resizing) => resizeScreen(await x11, cookie, size, resizing),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The abstract socket of an X server on the host. Any user can connect to it, but needs the cookie. */
function toAbstractSocket(number: string | undefined): SandboxSocket {
  return {
    connect: (signal) => connectTo({ path: `\0/tmp/.X11-unix/X${number}` }, signal),
    [Symbol.asyncDispose]: async () => {},
  };
}

function toFailure(cause: unknown): Failure {
  return new Failure(
    "BrowserUnavailable",
    "The screen for a graphical browser did not start; the operator can find the reason in the server's log. Browsers with Headless true need no screen.",
    { cause },
  );
}

/** Xvnc inherits the listening socket for its clients as descriptor 3: sd_listen_fds(3). */
const LISTENING = { LISTEN_FDS: "1", LISTEN_PID: "1" };

function toRun(sandbox: Sandbox, { width, height }: XvncOptions): Run {
  return {
    name: SCREEN,
    arguments: [
      sandbox.isIsolated ? [`:${OWN_DISPLAY}`] : [],
      // Xvnc prints its display number once it is ready. If no number is specified, Xvnc uses the first free one.
      ["-displayfd", String(DISPLAY_FD)],
      ["-auth", join(sandbox.home, AUTHORITY_FILE)],
      ["-geometry", `${width}x${height}`],
      ["-depth", "24"],
      ["-nolisten", "tcp"],
      // On the host, the socket file would outlive a killed server. Programs use the abstract socket instead.
      sandbox.isIsolated ? [] : ["-nolisten", "unix"],
      // Chromium doesn't use the X server's OpenGL, which would cost 20 ms and 50 MB.
      ["-extension", "GLX"],
      ["-rfbport", "-1"],
      ["-rfbunixpath", join(sandbox.home, RFB_SOCKET)],
      ["-rfbunixmode", "0600"],
      ["-SecurityTypes", "VncAuth"],
      ["-PasswordFile", join(sandbox.home, PASSWORD_FILE)],
      ["-AlwaysShared"],
      // All viewers share the gateway's address, so one viewer's wrong passwords would block the others.
      ["-UseBlacklist=0"],
      // Viewers can't resize the screen, and programs on it can't change Xvnc's settings.
      ["-AcceptSetDesktopSize=0"],
      ["-AllowOverride", ""],
    ].flat(),
    environment: {
      PATH: "/usr/bin:/bin",
      HOME: sandbox.home,
      ...(sandbox.isIsolated ? LISTENING : {}),
      LANG: "C.UTF-8",
      // The window manager and the browser use the same cookie.
      XAUTHORITY: join(sandbox.home, AUTHORITY_FILE),
    },
  };
}

/** Encodes an Xauthority file: family, then address, display number, name and data with length prefixes (Xau(3)). */
function toXauthority(cookie: Buffer): Buffer {
  const fields = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from(COOKIE_NAME), cookie].flatMap((field) => [
    toUint16(field.length),
    field,
  ]);
  return Buffer.concat([toUint16(FAMILY_WILD), ...fields]);
}
