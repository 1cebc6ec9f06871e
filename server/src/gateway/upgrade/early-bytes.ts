import type { Socket } from "node:net";

/** The bytes buffered for a client whose upgrade is in progress. */
interface EarlyBytes {
  /** Aborted when the client disconnects. */
  readonly left: AbortSignal;
  /** Returns the buffered bytes to the socket, and leaves the socket paused. */
  putBack(): void;
}

/**
 * Buffers the data that a client sends before its 101, because a socket reports a disconnection only while being read.
 * @param head The bytes that arrived after the request's head.
 * @param maxBytes Number of bytes after which reading stops.
 */
export function bufferEarlyBytes(client: Socket, head: Buffer, maxBytes: number): EarlyBytes {
  const left = new AbortController();
  const chunks: Buffer[] = [head];
  let length = head.length;

  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) client.pause();
  };
  const onLeft = (): void => left.abort(new Error("The client left during the upgrade."));
  client.on("data", onData).once("end", onLeft).once("close", onLeft);

  return {
    left: left.signal,
    putBack() {
      client.off("data", onData).off("end", onLeft).off("close", onLeft);
      client.pause();
      if (length > 0 && !client.readableEnded) client.unshift(Buffer.concat(chunks));
    },
  };
}
