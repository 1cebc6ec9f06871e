import { join } from "node:path";
import type { Sandbox } from "../../../server/src/ports/sandboxes.ts";

const START_TIMEOUT_MS = 30_000;

/** As large as the service's. */
export const SCREEN = { width: 1920, height: 1080 };

/** A screen as one would start it by hand. */
export type BareScreen = AsyncDisposable & {
  /** What a program needs in its environment to find it. */
  readonly environment: Readonly<Record<string, string>>;
};

/**
 * Starts an Xvnc and nothing else: no window manager, no passwords.
 * @throws {Error} When the cell is a jail: nothing outside its own would reach the screen.
 */
export async function startBareScreen(cell: Sandbox): Promise<BareScreen> {
  if (cell.isIsolated) throw new Error("A bare screen is for browsers without a jail.");
  const xvnc = await cell.run({
    command: "Xvnc",
    arguments: [
      ...["-displayfd", "1", "-geometry", `${SCREEN.width}x${SCREEN.height}`, "-depth", "24"],
      ...["-nolisten", "tcp", "-nolisten", "unix", "-extension", "GLX"],
      ...["-rfbport", "-1", "-rfbunixpath", join(cell.home, "rfb.sock"), "-SecurityTypes", "None", "-ac"],
    ],
    environment: { PATH: "/usr/bin:/bin", HOME: cell.home },
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
