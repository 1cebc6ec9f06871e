import { once } from "node:events";
import type { Socket } from "node:net";
import type { Sandbox, SandboxProcess } from "../../../ports/sandboxes.ts";

/** Opens a connection to a browser's DevTools port. */
export type Connect = (signal: AbortSignal) => Promise<Socket>;

/**
 * Opens connections that the browser may send a number of bytes over, all of them together. More end the connection
 * with an error: whatever a tenant made of the browser, it can't make the server read without end.
 */
export function limitBytes(connect: Connect, maxBytes: number): Connect {
  let left = maxBytes;
  return async (signal) => {
    const socket = await connect(signal);
    socket.on("error", () => {});
    socket.on("data", ({ length }: Buffer) => {
      left -= length;
      if (left < 0) socket.destroy(new Error(`The browser sent more than ${maxBytes} bytes.`));
    });
    return socket;
  };
}

const LISTENING = /^DevTools listening on ws:\/\/[^/]+(?<path>\/devtools\/browser\/\S+)\s/m;

// Chromium answers this on the thread that also runs its DevTools commands: long commands delay it, not busy pages.
const REQUEST = "GET /json/version HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/**
 * Waits until a browser answers DevTools commands.
 * @returns The path of its DevTools endpoint.
 * @throws {Error} If it exits or does not answer in time, with the end of its log; `signal.reason` if the signal is
 *   aborted.
 */
export async function awaitDevtools(
  sandbox: Sandbox,
  process: SandboxProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const over = new AbortController();
  const findPath = async (): Promise<string> => {
    const { groups } = await process.log.find(LISTENING);
    // Chromium logs this line some time before it answers.
    await probe((connecting) => sandbox.connect(connecting), over.signal);
    return groups?.["path"] ?? "";
  };
  try {
    return await process.whenReady(findPath(), timeoutMs, signal);
  } finally {
    over.abort();
  }
}

/**
 * Checks that a browser answers.
 * @throws {Error} If it does not answer; `signal.reason` if the signal is aborted first.
 */
export async function probe(connect: Connect, signal: AbortSignal): Promise<void> {
  const socket = await connect(signal);
  try {
    socket.write(REQUEST);
    const over = new AbortController();
    socket.once("close", () => over.abort(new Error("The browser closed the connection.")));
    await once(socket, "data", { signal: AbortSignal.any([signal, over.signal]) });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}
