import fc from "fast-check";
import { expect, test } from "vitest";
import { FrameCursor, toCloseFrame } from "./websocket-frames.ts";

type Frame = {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly isMasked: boolean;
  readonly length: number;
};

const CLOSE = 0x8;

/** Encodes a frame (RFC 6455, section 5.2) whose payload looks like close frames. */
function toBytes({ opcode, isFinal, isMasked, length }: Frame): Buffer {
  const masked = isMasked ? 0x80 : 0;
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  header[0] = opcode | (isFinal ? 0x80 : 0);
  if (header.length === 2) header[1] = masked | length;
  if (header.length === 4) header.writeUInt16BE(length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
  if (header.length > 2) header[1] = masked | (header.length === 4 ? 126 : 127);
  return Buffer.concat([header, Buffer.alloc(isMasked ? 4 : 0, 0x88), Buffer.alloc(length, 0x88)]);
}

const frames = fc.array(
  fc.record({
    opcode: fc.constantFrom(0x0, 0x1, 0x2, 0x9, 0xa),
    isFinal: fc.boolean(),
    isMasked: fc.boolean(),
    // Mostly small, or at the limits where the length field grows.
    length: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(125, 126, 65_535, 65_536)),
  }),
  { maxLength: 8 },
);

test("a boundary is found exactly where a frame ends, however the stream is split into chunks", () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 200 }), (all, sizes) => {
      const encoded = all.map(toBytes);
      const stream = Buffer.concat(encoded);
      const boundaries = new Set([0]);
      let passed = 0;
      for (const { length } of encoded) boundaries.add((passed += length));

      const cursor = new FrameCursor();
      passed = 0;
      for (const size of [...sizes, stream.length]) {
        cursor.advance(stream.subarray(passed, passed + size));
        passed = Math.min(passed + size, stream.length);
        expect(cursor.isAtBoundary).toBe(boundaries.has(passed));
      }
      expect(cursor.hasClosed).toBe(false);
    }),
  );
});

test("every boundary is found when the stream arrives byte by byte", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ opcode: fc.constant(1), isFinal: fc.boolean(), isMasked: fc.boolean(), length: fc.nat(200) }),
      ),
      (all) => {
        const cursor = new FrameCursor();
        for (const bytes of all.map(toBytes)) {
          for (const [at, byte] of bytes.entries()) {
            cursor.advance(Uint8Array.of(byte));
            expect(cursor.isAtBoundary).toBe(at === bytes.length - 1);
          }
        }
      },
    ),
  );
});

test("close frames are detected in headers, but not in payloads", () => {
  const cursor = new FrameCursor();
  cursor.advance(toBytes({ opcode: 0x1, isFinal: true, isMasked: false, length: 70_000 }));
  expect(cursor.hasClosed).toBe(false);
  const close = toBytes({ opcode: CLOSE, isFinal: true, isMasked: false, length: 2 });
  cursor.advance(close.subarray(0, 1));
  expect(cursor.hasClosed).toBe(false);
  cursor.advance(close.subarray(1, 2));
  expect([cursor.hasClosed, cursor.isAtBoundary]).toEqual([true, false]);
  cursor.advance(close.subarray(2));
  expect([cursor.hasClosed, cursor.isAtBoundary]).toEqual([true, true]);
});

test("a length beyond 32 bits is read correctly", () => {
  const header = toBytes({ opcode: 0x2, isFinal: true, isMasked: false, length: 65_536 }).subarray(0, 10);
  header.writeBigUInt64BE(2n ** 32n + 3n, 2);
  const cursor = new FrameCursor();
  cursor.advance(header);
  const piece = new Uint8Array(2 ** 26);
  for (let passed = 0; passed < 2 ** 32; passed += piece.length) cursor.advance(piece);
  cursor.advance(piece.subarray(0, 2));
  expect(cursor.isAtBoundary).toBe(false);
  cursor.advance(piece.subarray(0, 1));
  expect(cursor.isAtBoundary).toBe(true);
});

test("a close frame contains its code and reason, unmasked", () => {
  expect(toCloseFrame(1011, "gone")).toEqual(Buffer.from([0x88, 6, 0x03, 0xf3, ...Buffer.from("gone")]));
});

test.each([
  ["x".repeat(200), "x".repeat(123)],
  ["é".repeat(80), "é".repeat(61)],
])("a long reason is truncated after a whole character", (reason, sent) => {
  const frame = toCloseFrame(1000, reason);
  expect([frame[1], frame.subarray(4).toString()]).toEqual([frame.length - 2, sent]);
});
