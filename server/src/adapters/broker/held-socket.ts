import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { SandboxSocket } from "../../ports/sandboxes.ts";
import { connectTo } from "./connect.ts";

// Not in the headers that Node knows: opens a file only to name it, whatever it is.
const O_PATH = 0o10000000;

/** From a connection that found the listener's queue full to the next try, in ms. */
const RETRY_MS = 10;

/**
 * Takes hold of a socket itself. Its name lies where the jail can write, and could be made to lead to any socket of the
 * host by the next time it is followed.
 * @throws {Error} When there is no socket.
 */
export async function holdSocket(path: string): Promise<SandboxSocket> {
  const handle = await open(path, O_PATH | constants.O_NOFOLLOW);
  let closing: Promise<void> | undefined;
  const held = {
    connect: (signal: AbortSignal) => connectInTurn(`/proc/self/fd/${handle.fd}`, signal),
    [Symbol.asyncDispose]: () => (closing ??= handle.close()),
  };
  if ((await handle.stat()).isSocket()) return held;
  await held[Symbol.asyncDispose]();
  throw new Error("There is no socket where a program of the cell should have one.");
}

/** Where a TCP connection would wait while the listener's queue is full, one to a Unix socket is refused: connect(2). */
async function connectInTurn(path: string, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    try {
      return await connectTo({ path }, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
    await wait(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
