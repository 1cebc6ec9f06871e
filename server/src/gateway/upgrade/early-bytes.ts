import type { Socket } from "node:net";

/** A client whose upgrade is in progress. */
interface EarlyBytes {
  /** Aborted when the client disconnects. */
  readonly left: AbortSignal;
  /** Returns the bytes that were read to the socket, and leaves it paused. */
  putBack(): void;
}

/**
 * Buffers what a client sends before its 101: a socket reports that the client has disconnected only while it is read.
 * @param head The bytes that arrived after the request's head.
 * @param maxBytes Reading stops after this many bytes.
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
