import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";

/** Requests of a connection that may wait for the answers to earlier ones, and the bytes of their heads. */
const [MAX_WAITING, MAX_WAITING_BYTES] = [16, 65_536];

/** The requests of a connection. */
type Line = { isBusy: boolean; readonly waiting: { readonly bytes: number; readonly serve: () => void }[] };

/**
 * Calls the listener for one request of a connection at a time: for the next one when the kernel has taken all of the
 * previous answer. Node itself would call it for all requests that arrive together, and keep all answers of a client
 * that doesn't read. Closes a connection on which too many requests wait: few clients send any before their answer.
 */
export function serveInTurn(server: Server, listener: RequestListener): void {
  const lines = new WeakMap<Socket, Line>();

  const add: RequestListener = (request, response) => {
    const { socket } = request;
    // It may have been closed for a request that arrived together with this one.
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? { isBusy: false, waiting: [] };
    lines.set(socket, line);
    const serve = (): void => {
      line.isBusy = true;
      response.once("close", () => {
        line.isBusy = false;
        if (!socket.destroyed) line.waiting.shift()?.serve();
      });
      listener(request, response);
    };
    if (!line.isBusy) return serve();
    line.waiting.push({ bytes: countBytes(request), serve });
    if (isTooLong(line)) socket.destroy();
  };
  server.on("request", add);
  // Node would answer 417 itself, and not in turn. Servers may ignore expectations that they don't know (RFC 9110,
  // 10.1.1).
  server.on("checkExpectation", add);
}

function countBytes({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, url.length);
}

function isTooLong({ waiting }: Line): boolean {
  return waiting.length > MAX_WAITING || waiting.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_WAITING_BYTES;
}
