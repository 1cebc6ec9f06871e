import { once } from "node:events";
import type { Socket } from "node:net";

// Chromium answers this on the thread that its DevTools commands run on, whatever its pages do.
const QUESTION = "GET /json/version HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/**
 * Asks a browser's DevTools for a sign of life.
 * @throws {Error} When it does not answer; `signal.reason` when that is aborted before it does.
 */
export async function probe(connect: (signal: AbortSignal) => Promise<Socket>, signal: AbortSignal): Promise<void> {
  const socket = await connect(signal);
  try {
    socket.write(QUESTION);
    const over = new AbortController();
    const limits = { signal: AbortSignal.any([signal, over.signal]) };
    socket.once("close", () => over.abort(new Error("The browser hung up.")));
    await once(socket, "data", limits);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}
