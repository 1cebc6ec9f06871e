import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import type { Readable } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toPasswordFile } from "../../../src/adapters/xvnc/screen-passwords.ts";
import { type RfbClient, openRfb } from "./rfb-client.ts";
import { runProgram } from "../machine/run-program.ts";

const PASSWORDS = { full: "sEcret12", viewOnly: "sEcret34" };

/** A screen for native viewers. Disposing ends the screen and its programs. */
export type ViewerScreen = AsyncDisposable & {
  /** A client that reads the screen's content. */
  readonly display: RfbClient;
  /** Starts a program on the screen. */
  start(program: string, args: readonly string[]): ChildProcess;
  /** Runs xdotool on the screen. @returns Its output. */
  xdotool(...args: readonly string[]): Promise<string>;
};

export async function openViewerScreen(width: number, height: number): Promise<ViewerScreen> {
  const acquired = new AsyncDisposableStack();
  try {
    const folder = mkdtempSync(join(tmpdir(), "viewer-"));
    acquired.defer(() => rmSync(folder, { recursive: true }));
    const [passwords, socket] = [join(folder, "passwords"), join(folder, "rfb.sock")];
    writeFileSync(passwords, toPasswordFile(PASSWORDS));
    const xvnc = run(acquired, folder, {}, "Xvnc", [
      ...["-displayfd", "1", "-geometry", `${width}x${height}`, "-depth", "24", "-nolisten", "tcp"],
      ...["-rfbport", "-1", "-rfbunixpath", socket, "-SecurityTypes", "VncAuth", "-PasswordFile", passwords],
    ]);
    const [number] = (await once(xvnc.stdout, "data")) as [Buffer];
    const environment = { DISPLAY: `:${number.toString().trim()}` };
    const display = acquired.use(await openRfb(connect(socket), PASSWORDS.full));
    return {
      display,
      start: (program, args) => run(acquired, folder, environment, program, args),
      xdotool: (...args) => runProgram("xdotool", args, environment),
      [Symbol.asyncDispose]: () => acquired.disposeAsync(),
    };
  } catch (error) {
    await acquired.disposeAsync();
    throw error;
  }
}

/** Starts a program that ends when the stack is disposed or the test's process exits. */
function run(
  acquired: AsyncDisposableStack,
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
  acquired.defer(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}
