import { join } from "node:path";
import { Failure } from "../../domain/failure.ts";
import type { Display, Displays } from "../../ports/display.ts";
import type { Sandbox, Program } from "../../ports/sandboxes.ts";
import type { Threads } from "../../ports/threads.ts";
import { ViewerAccess } from "./viewer-access.ts";
import { makePasswordFile } from "./password-file.ts";
import { pictureTaker } from "./take-picture.ts";
import { WITH_WINDOW_MANAGER, configureWindows } from "./window-manager.ts";
import { COOKIE_BYTES, toXauthority } from "./xauthority.ts";

const AUTHORITY_FILE = ".Xauthority";
const PASSWORD_FILE = ".vncpasswd";
const RFB_SOCKET = "rfb.sock";

export type XvncOptions = {
  readonly command: string;
  /** Size of the screen in pixels. */
  readonly width: number;
  readonly height: number;
  readonly startTimeoutMs: number;
  readonly randomBytes: (length: number) => Buffer;
  /** Where pictures of screens are made small. */
  readonly threads: Threads;
};

/** They are 8 characters in base64url, all that VncAuth takes. */
const OWN_PASSWORD_BYTES = 6;

/** An X server a browser. Viewers reach it by a socket in the cell's folder, and nobody gets in until one is admitted. */
export function xvncDisplays(options: XvncOptions): Displays {
  return { open: (cell, signal) => openDisplay(cell, signal, options) };
}

async function openDisplay(cell: Sandbox, signal: AbortSignal, options: XvncOptions): Promise<Display> {
  const authority = toXauthority(options.randomBytes(COOKIE_BYTES));
  await Promise.all([cell.writeFile(AUTHORITY_FILE, authority), configureWindows(cell)]);
  await using acquired = new AsyncDisposableStack();
  try {
    const passwords = acquired.use(await makePasswordFile(cell, PASSWORD_FILE));
    const xvnc = acquired.use(await cell.run(toProgram(cell, options)));
    const [, number] = await xvnc.whenUp(xvnc.output.find(/^(\d+)\n/), options.startTimeoutMs, signal);
    // At once, while nothing but Xvnc has run in the cell.
    const rfb = acquired.use(await cell.holdSocket(RFB_SOCKET));
    const door = new ViewerAccess(passwords, () => options.randomBytes(OWN_PASSWORD_BYTES).toString("base64url"));
    const resources = acquired.move();
    return {
      setPasswords: (wanted) => door.setPasswords(wanted),
      connect: (connecting) => rfb.connect(connecting),
      environment: { DISPLAY: `:${number}`, XAUTHORITY: join(cell.home, AUTHORITY_FILE) },
      gone: xvnc.ended.then(() => {}),
      takeThumbnail: pictureTaker(rfb, door, options.threads),
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new Failure(
      "BrowserUnavailable",
      "The screen for a graphical browser did not start; the operator finds out why in the server's log. Headless true needs none.",
      { cause },
    );
  }
}

function toProgram(cell: Sandbox, { command, width, height }: XvncOptions): Program {
  return {
    command: "/bin/sh",
    arguments: [
      "-c",
      WITH_WINDOW_MANAGER,
      "sh",
      command,
      // Takes the first number that is free, and says which on its standard output once clients may come.
      "-displayfd",
      "1",
      "-auth",
      join(cell.home, AUTHORITY_FILE),
      "-geometry",
      `${width}x${height}`,
      "-depth",
      "24",
      "-nolisten",
      "tcp",
      // On the host, the socket's file would outlive a killed server; the abstract one beside it does not.
      ...(cell.isIsolated ? [] : ["-nolisten", "unix"]),
      // Chromium draws by itself; the server's own OpenGL would take 20 ms and 50 MB for nothing.
      "-extension",
      "GLX",
      "-rfbport",
      "-1",
      "-rfbunixpath",
      join(cell.home, RFB_SOCKET),
      "-rfbunixmode",
      "0600",
      "-SecurityTypes",
      "VncAuth",
      "-PasswordFile",
      join(cell.home, PASSWORD_FILE),
      "-AlwaysShared",
      // All viewers come from one address, the gateway's, so that one with a wrong password would shut out the others.
      "-UseBlacklist=0",
      // The size of the screen is the browser's business; programs on it don't change what viewers may do either.
      "-AcceptSetDesktopSize=0",
      "-AllowOverride",
      "",
    ],
    environment: {
      PATH: "/usr/bin:/bin",
      HOME: cell.home,
      LANG: "C.UTF-8",
      // The window manager's way in, as it is the browser's.
      XAUTHORITY: join(cell.home, AUTHORITY_FILE),
    },
    reads: [],
    isBrowser: false,
  };
}
