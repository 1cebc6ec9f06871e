import fc from "fast-check";
import { expect, test } from "vitest";
import { readSpanBytes } from "./span-bytes.ts";

/** Microseconds since 2000. */
function toBytes(moment: Date): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(moment.getTime() - Date.UTC(2000, 0, 1)) * 1000n);
  return bytes;
}

test("spans are read exactly, whatever their start and end times", () => {
  const moment = fc.date({ min: new Date("1990-01-01"), max: new Date("2199-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, moment)), (pairs) => {
      expect(readSpanBytes(Buffer.concat(pairs.flat().map(toBytes)))).toEqual({
        opened: Float64Array.from(pairs, ([from]) => from.getTime()),
        ended: Float64Array.from(pairs, ([from, to]) => Math.max(to.getTime(), from.getTime() + 1)),
      });
    }),
  );
});
