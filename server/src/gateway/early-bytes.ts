import type { Socket } from "node:net";

/** A client whose upgrade is under way. */
export interface EarlyBytes {
  /** Aborted when the client leaves. */
  readonly left: AbortSignal;
  /** Puts all that the client has sent back in front of what it will send, and leaves the socket paused. */
  putBack(): void;
}

/**
 * Reads what a client sends before it has its 101, since only who reads notices that the client leaves.
 * @param head What came with the upgrade request.
 * @param maxBytes Reading stops after so many.
 */
export function keepEarlyBytes(client: Socket, head: Buffer, maxBytes: number): EarlyBytes {
  const left = new AbortController();
  const chunks: Buffer[] = [head];
  let kept = head.length;

  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    kept += chunk.length;
    if (kept >= maxBytes) client.pause();
  };
  const onLeft = (): void => left.abort(new Error("The client left during the upgrade."));
  client.on("data", onData).once("end", onLeft).once("close", onLeft);

  return {
    left: left.signal,
    putBack() {
      client.off("data", onData).off("end", onLeft).off("close", onLeft);
      client.pause();
      if (kept > 0 && !client.readableEnded) client.unshift(Buffer.concat(chunks));
    },
  };
}
