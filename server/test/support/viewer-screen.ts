import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import type { Readable } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toPasswordFile } from "../../src/adapters/xvnc/screen-passwords.ts";
import { type RfbClient, openRfb } from "./rfb-client.ts";
import { runProgram } from "./run-program.ts";

const PASSWORDS = { full: "sEcret12", viewOnly: "sEcret34" };

/** A screen for programs that a person would sit at. Disposing ends it, and so them. */
export type ViewerScreen = AsyncDisposable & {
  /** What shows on it. */
  readonly eye: RfbClient;
  /** Starts a program on it. */
  start(program: string, args: readonly string[]): ChildProcess;
  /** What xdotool does with these arguments. @returns What it prints. */
  xdotool(...args: readonly string[]): Promise<string>;
};

export async function openViewerScreen(width: number, height: number): Promise<ViewerScreen> {
  const held = new AsyncDisposableStack();
  try {
    const folder = mkdtempSync(join(tmpdir(), "viewer-"));
    held.defer(() => rmSync(folder, { recursive: true }));
    const [passwords, socket] = [join(folder, "passwords"), join(folder, "rfb.sock")];
    writeFileSync(passwords, toPasswordFile(PASSWORDS));
    const xvnc = run(held, folder, {}, "Xvnc", [
      ...["-displayfd", "1", "-geometry", `${width}x${height}`, "-depth", "24", "-nolisten", "tcp"],
      ...["-rfbport", "-1", "-rfbunixpath", socket, "-SecurityTypes", "VncAuth", "-PasswordFile", passwords],
    ]);
    const [number] = (await once(xvnc.stdout, "data")) as [Buffer];
    const environment = { DISPLAY: `:${number.toString().trim()}` };
    const eye = held.use(await openRfb(connect(socket), PASSWORDS.full));
    return {
      eye,
      start: (program, args) => run(held, folder, environment, program, args),
      xdotool: (...args) => runProgram("xdotool", args, environment),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  } catch (error) {
    await held.disposeAsync();
    throw error;
  }
}

/** Starts a program that ends with the stack, or with the test's process. */
function run(
  held: AsyncDisposableStack,
  home: string,
  environment: Readonly<Record<string, string>>,
  program: string,
  args: readonly string[],
): ChildProcessByStdio<null, Readable, null> {
  const { PATH = "" } = process.env;
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", program, ...args], {
    env: { PATH, HOME: home, LANG: "C.UTF-8", ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  held.defer(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}
