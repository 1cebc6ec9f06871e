import { once } from "node:events";
import type { Socket } from "node:net";
import type { Sandbox, SandboxProcess } from "../../../ports/sandboxes.ts";

/** Opens a connection to a browser's DevTools port. */
export type Connect = (signal: AbortSignal) => Promise<Socket>;

/** Limits the data that the browser may send on all connections combined. Exceeding the limit fails the connection. */
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

// Chromium responds on its DevTools thread, so long commands delay the response, but busy pages don't.
const REQUEST = "GET /json/version HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/**
 * Waits until a browser responds to DevTools commands.
 * @returns The path of its DevTools endpoint.
 * @throws {Error} If the browser exits or is too slow, with the end of its log; `signal.reason` if `signal` is aborted.
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
    // Chromium logs its endpoint before it responds to requests.
    await probe((connecting) => sandbox.connect(connecting), over.signal);
    return groups?.["path"] ?? "";
  };
  try {
    return await process.whenReady(findPath(), timeoutMs, signal);
  } finally {
    over.abort();
  }
}

/** Checks that a browser responds. @throws {Error} On failure; `signal.reason` if the signal is aborted first. */
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
