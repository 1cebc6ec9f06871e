/** A control frame's payload is at most 125 bytes; two of them are the code (RFC 6455, section 5.5). */
const MAX_REASON_BYTES = 123;

/** A server's close frame; a reason that is too long is cut after its last whole character. */
export function toCloseFrame(code: number, reason: string): Buffer {
  const payload = Buffer.alloc(2 + MAX_REASON_BYTES);
  payload.writeUInt16BE(code);
  const { written } = new TextEncoder().encodeInto(reason, payload.subarray(2));
  return Buffer.concat([Buffer.from([0x88, 2 + written]), payload.subarray(0, 2 + written)]);
}
