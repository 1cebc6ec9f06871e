import { join } from "node:path";
import { Failure } from "../../domain/failure.ts";
import type { Display, Displays } from "../../ports/display.ts";
import type { Program, Sandbox } from "../../ports/sandboxes.ts";
import type { Threads } from "../../ports/threads.ts";
import { ScreenPasswords } from "./screen-passwords.ts";
import { captureScreen } from "./capture-screen.ts";
import { DISPLAY_FD, WITH_WINDOW_MANAGER, configureWindows } from "./window-manager.ts";

const AUTHORITY_FILE = ".Xauthority";
const PASSWORD_FILE = ".vncpasswd";
const RFB_SOCKET = "rfb.sock";

const COOKIE_NAME = "MIT-MAGIC-COOKIE-1";
const COOKIE_BYTES = 16;
/** Matches every display in an Xauthority file. */
const FAMILY_WILD = 0xffff;

/** They make 8 characters in base64url, which is all that VncAuth uses. */
const PASSWORD_RANDOM_BYTES = 6;

type XvncOptions = {
  readonly command: string;
  /** Size of the screen in pixels. */
  readonly width: number;
  readonly height: number;
  readonly startTimeoutMs: number;
  readonly randomBytes: (length: number) => Buffer;
  /** Scale screens down to thumbnails. */
  readonly threads: Threads;
};

/** One X server for each browser. Viewers connect to a socket in the sandbox's folder. At first, no password works. */
export function newXvncDisplays(options: XvncOptions): Displays {
  return { open: (sandbox, signal) => openDisplay(sandbox, signal, options) };
}

async function openDisplay(sandbox: Sandbox, signal: AbortSignal, options: XvncOptions): Promise<Display> {
  const { randomBytes, startTimeoutMs, threads } = options;
  const authority = toXauthority(randomBytes(COOKIE_BYTES));
  await Promise.all([sandbox.writeFile(AUTHORITY_FILE, authority), configureWindows(sandbox)]);
  await using acquired = new AsyncDisposableStack();
  try {
    const passwordFile = acquired.use(await sandbox.holdFile(PASSWORD_FILE));
    const xvnc = acquired.use(await sandbox.run(toProgram(sandbox, options)));
    const [, number] = await xvnc.whenReady(xvnc.output.find(/^(\d+)\n/), startTimeoutMs, signal);
    // At once, before the browser runs in this sandbox and could put something else in its place.
    const rfb = acquired.use(await sandbox.holdSocket(RFB_SOCKET));
    const passwords = new ScreenPasswords(passwordFile, () => randomBytes(PASSWORD_RANDOM_BYTES).toString("base64url"));
    const resources = acquired.move();
    return {
      setPasswords: (newPasswords) => passwords.set(newPasswords),
      connect: (connecting) => rfb.connect(connecting),
      environment: { DISPLAY: `:${number}`, XAUTHORITY: join(sandbox.home, AUTHORITY_FILE) },
      gone: xvnc.ended.then(() => {}),
      takeThumbnail: (taking) => captureScreen(rfb, passwords, threads, taking),
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new Failure(
      "BrowserUnavailable",
      "The screen for a graphical browser did not start; the operator can find the reason in the server's log. Browsers with Headless true need no screen.",
      { cause },
    );
  }
}

function toProgram(sandbox: Sandbox, { command, width, height }: XvncOptions): Program {
  return {
    command: "/bin/sh",
    arguments: [
      "-c",
      WITH_WINDOW_MANAGER,
      "sh",
      command,
      // Takes the first free display number, and prints it once programs can connect.
      "-displayfd",
      String(DISPLAY_FD),
      "-auth",
      join(sandbox.home, AUTHORITY_FILE),
      "-geometry",
      `${width}x${height}`,
      "-depth",
      "24",
      "-nolisten",
      "tcp",
      // On the host, the socket's file would outlive a killed server. Programs use the abstract socket instead.
      ...(sandbox.isIsolated ? [] : ["-nolisten", "unix"]),
      // Chromium draws without it. The X server's own OpenGL would cost 20 ms and 50 MB.
      "-extension",
      "GLX",
      "-rfbport",
      "-1",
      "-rfbunixpath",
      join(sandbox.home, RFB_SOCKET),
      "-rfbunixmode",
      "0600",
      "-SecurityTypes",
      "VncAuth",
      "-PasswordFile",
      join(sandbox.home, PASSWORD_FILE),
      "-AlwaysShared",
      // All viewers come from one address, the gateway's: a viewer with a wrong password would block the others.
      "-UseBlacklist=0",
      // Viewers can't resize the screen, and programs on it can't change these settings.
      "-AcceptSetDesktopSize=0",
      "-AllowOverride",
      "",
    ],
    environment: {
      PATH: "/usr/bin:/bin",
      HOME: sandbox.home,
      LANG: "C.UTF-8",
      // The window manager's cookie for the display, which is the browser's, too.
      XAUTHORITY: join(sandbox.home, AUTHORITY_FILE),
    },
    reads: [],
    isBrowser: false,
    isFirst: true,
  };
}

/**
 * An Xauthority file with one entry: family, address, display number, name and data, each text after its length in 16
 * bits (Xau(3)).
 */
function toXauthority(cookie: Buffer): Buffer {
  const fields = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from(COOKIE_NAME), cookie].flatMap((field) => [
    toUint16(field.length),
    field,
  ]);
  return Buffer.concat([toUint16(FAMILY_WILD), ...fields]);
}

function toUint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
