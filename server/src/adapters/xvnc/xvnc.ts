import { once } from "node:events";
import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../domain/failure.ts";
import type { Display, Displays } from "../../ports/display.ts";
import type { Cell, CellProcess } from "../../ports/isolation.ts";
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
  const xvnc = acquired.use(await run(cell, options));
  const number = await readNumber(xvnc, AbortSignal.any([signal, AbortSignal.timeout(options.startTimeoutMs)]), signal);
  xvnc.stderr.resume();
  const resources = acquired.move();
  return {
    environment: { DISPLAY: `:${number}`, XAUTHORITY: join(cell.home, AUTHORITY_FILE) },
    gone: xvnc.ended.then(() => {}),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function writeAuthority(cell: Cell, cookie: Buffer): Promise<void> {
  const file = join(cell.folder, AUTHORITY_FILE);
  await writeFile(file, toXauthority(cookie), { mode: 0o600 });
  if (cell.owner !== undefined) await chown(file, cell.owner, cell.owner);
}

async function run(cell: Cell, { command, width, height }: XvncOptions): Promise<CellProcess> {
  try {
    return await cell.run({
      command,
      arguments: [
        // Takes the first number that is free and says which once clients may come.
        "-displayfd",
        "3",
        "-auth",
        join(cell.home, AUTHORITY_FILE),
        "-geometry",
        `${width}x${height}`,
        "-depth",
        "24",
        "-nolisten",
        "tcp",
        "-rfbport",
        "-1",
        "-SecurityTypes",
        "None",
        "-AlwaysShared",
      ],
      environment: { PATH: "/usr/bin:/bin", HOME: cell.home, LANG: "C.UTF-8" },
      reads: [],
      isBrowser: false,
    });
  } catch (cause) {
    throw new Failure(
      "BrowserUnavailable",
      "The screen for a graphical browser can't be started here: try Headless true.",
      {
        cause,
      },
    );
  }
}

/** The display's number, as soon as it takes clients. */
async function readNumber(xvnc: CellProcess, deadline: AbortSignal, signal: AbortSignal): Promise<string> {
  let log = "";
  xvnc.stderr.on("data", (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-2000);
  });
  const number = once(xvnc.result, "data", { signal: deadline }).then(([chunk]) => String(chunk).trim());
  const end = xvnc.ended.then(() => undefined);
  try {
    const read = await Promise.race([number, end]);
    if (read !== undefined && read !== "") return read;
  } catch {
    signal.throwIfAborted();
  }
  throw new Failure(
    "BrowserUnavailable",
    "The screen for a graphical browser did not start: try again, or Headless true.",
    {
      cause: new Error(`Xvnc said: ${log}`),
    },
  );
}
