import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../domain/failure.ts";
import type { Display, Displays } from "../../ports/display.ts";
import type { Cell, Program } from "../../ports/isolation.ts";
import { COOKIE_BYTES, toXauthority } from "./xauthority.ts";

const AUTHORITY_FILE = ".Xauthority";

export type XvncOptions = {
  readonly command: string;
  /** Size of the screen in pixels. */
  readonly width: number;
  readonly height: number;
  readonly startTimeoutMs: number;
  readonly randomBytes: (length: number) => Buffer;
};

/** An X server a browser, with nobody watching: its VNC side is closed. */
export function xvncDisplays(options: XvncOptions): Displays {
  return { open: (cell, signal) => openDisplay(cell, signal, options) };
}

async function openDisplay(cell: Cell, signal: AbortSignal, options: XvncOptions): Promise<Display> {
  await writeAuthority(cell, options.randomBytes(COOKIE_BYTES));
  await using acquired = new AsyncDisposableStack();
  try {
    const xvnc = acquired.use(await cell.run(toProgram(cell, options)));
    const [, number] = await xvnc.whenUp(xvnc.output.find(/^(\d+)\n/), options.startTimeoutMs, signal);
    const resources = acquired.move();
    return {
      environment: { DISPLAY: `:${number}`, XAUTHORITY: join(cell.home, AUTHORITY_FILE) },
      gone: xvnc.ended.then(() => {}),
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

async function writeAuthority(cell: Cell, cookie: Buffer): Promise<void> {
  const file = join(cell.folder, AUTHORITY_FILE);
  await writeFile(file, toXauthority(cookie), { mode: 0o600 });
  if (cell.owner !== undefined) await chown(file, cell.owner, cell.owner);
}

function toProgram(cell: Cell, { command, width, height }: XvncOptions): Program {
  return {
    command,
    arguments: [
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
      ...(cell.isJail ? [] : ["-nolisten", "unix"]),
      // Chromium draws by itself; the server's own OpenGL would take 20 ms and 50 MB for nothing.
      "-extension",
      "GLX",
      "-rfbport",
      "-1",
      "-SecurityTypes",
      "None",
      "-AlwaysShared",
    ],
    environment: { PATH: "/usr/bin:/bin", HOME: cell.home, LANG: "C.UTF-8" },
    reads: [],
    isBrowser: false,
  };
}
