import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";

/** Maximum number of a connection's requests that wait for earlier responses, and the total size of their heads. */
const [MAX_WAITING, MAX_WAITING_BYTES] = [16, 65_536];

/** A connection's requests. */
type Line = { isBusy: boolean; readonly waiting: { readonly bytes: number; readonly serve: () => void }[] };

/**
 * Serves a connection's requests one at a time: the next starts once the kernel has accepted the whole previous
 * response. Node itself would call the listener for all pipelined requests, and buffer all responses for a client that
 * doesn't read. Closes a connection that has too many waiting requests; few clients pipeline at all.
 */
export function serveInTurn(server: Server, listener: RequestListener): void {
  const lines = new WeakMap<Socket, Line>();

  const add: RequestListener = (request, response) => {
    const { socket } = request;
    // An earlier request in the same chunk may have closed the socket.
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
  // Without this listener, Node sends a 417 out of turn. Servers may ignore unknown expectations (RFC 9110, 10.1.1).
  server.on("checkExpectation", add);
}

function countBytes({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, url.length);
}

function isTooLong({ waiting }: Line): boolean {
  return waiting.length > MAX_WAITING || waiting.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_WAITING_BYTES;
}
