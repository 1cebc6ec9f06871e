import type { Socket } from "node:net";

/** The head of an HTTP answer with its empty line, and the bytes that came with it but lie behind it. */
export type AnswerHead = { readonly status: number; readonly head: Buffer; readonly rest: Buffer };

/**
 * Reads the head of the answer to an upgrade; leaves the socket paused.
 * @param signal Ends the wait; then rejects with `signal.reason`.
 * @throws {Error} When the connection ends first, or the head is longer than `maxBytes` or none.
 */
export function readAnswerHead(socket: Socket, maxBytes: number, signal: AbortSignal): Promise<AnswerHead> {
  const { promise, resolve, reject } = Promise.withResolvers<AnswerHead>();
  let bytes: Buffer = Buffer.alloc(0);

  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1 && bytes.length <= maxBytes) return;
    const head = bytes.subarray(0, end + 4);
    const status = /^HTTP\/1\.1 (?<status>\d{3}) /.exec(head.toString("latin1"))?.groups?.["status"];
    if (end === -1 || end > maxBytes || status === undefined) {
      fail(new Error("The browser's answer to the upgrade is not HTTP/1.1."));
    } else {
      stop();
      resolve({ status: Number(status), head, rest: bytes.subarray(end + 4) });
    }
  };
  const onEnd = (): void => fail(new Error("The browser closed the connection before it answered the upgrade."));
  const onAbort = (): void => fail(signal.reason);

  function fail(reason: unknown): void {
    stop();
    reject(reason);
  }

  // At once, not when the promise is seen to settle: another chunk may be delivered before that.
  function stop(): void {
    socket.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", fail);
    signal.removeEventListener("abort", onAbort);
    socket.pause();
  }

  socket.on("data", onData).once("end", onEnd).once("close", onEnd).once("error", fail);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return promise;
}
