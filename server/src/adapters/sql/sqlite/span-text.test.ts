import fc from "fast-check";
import { expect, test } from "vitest";
import { readSpanText } from "./span-text.ts";

test("spans are read exactly, whatever their start and end times", () => {
  const moment = fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, moment)), (pairs) => {
      const text = pairs.flatMap((pair) => pair.map((one) => one.toISOString())).join("");
      expect(readSpanText(text)).toEqual({
        opened: Float64Array.from(pairs, ([from]) => from.getTime()),
        ended: Float64Array.from(pairs, ([from, to]) => Math.max(to.getTime(), from.getTime() + 1)),
      });
    }),
  );
});
