import { join } from "node:path";
import type { Sandbox } from "../../../server/test/interface.ts";

const START_TIMEOUT_MS = 30_000;

/** The size of the service's screens. */
export const SCREEN = { width: 1920, height: 1080 };

/** An Xvnc as you would start it by hand. */
export type BareScreen = AsyncDisposable & {
  /** The environment for programs that use it. */
  readonly environment: Readonly<Record<string, string>>;
};

/**
 * Starts only an Xvnc, without a window manager and passwords.
 * @throws {Error} When the sandbox is isolated: programs outside it couldn't reach the screen.
 */
export async function startBareScreen(sandbox: Sandbox): Promise<BareScreen> {
  if (sandbox.isIsolated) throw new Error("A bare screen needs a browser without a sandbox.");
  const xvnc = await sandbox.run({
    command: "Xvnc",
    arguments: [
      ...["-displayfd", "1", "-geometry", `${SCREEN.width}x${SCREEN.height}`, "-depth", "24"],
      ...["-nolisten", "tcp", "-nolisten", "unix", "-extension", "GLX"],
      ...["-rfbport", "-1", "-rfbunixpath", join(sandbox.home, "rfb.sock"), "-SecurityTypes", "None", "-ac"],
    ],
    environment: { PATH: "/usr/bin:/bin", HOME: sandbox.home },
    reads: [],
    isBrowser: false,
  });
  try {
    const started = xvnc.output.find(/^(\d+)\n/);
    const [, number] = await xvnc.whenReady(started, START_TIMEOUT_MS, new AbortController().signal);
    return { environment: { DISPLAY: `:${number}` }, [Symbol.asyncDispose]: () => xvnc[Symbol.asyncDispose]() };
  } catch (error) {
    await xvnc[Symbol.asyncDispose]();
    throw error;
  }
}
