import * as fc from "fast-check";
import { expect, test } from "vitest";
import { concurrent, sequential } from "./draw.ts";
import { type Sequence, browserOf, isGraphical, opensOf, withoutDesktops } from "./step.ts";

const SIZE = { maxOpens: 3, minGroups: 5, maxGroups: 20 };
const KINDS = { sequential: sequential(SIZE), concurrent: concurrent(SIZE) };

test.for(Object.entries(KINDS))("%s sequences refer to browsers only after their Open", ([, source]) => {
  const isSound = (sequence: Sequence): boolean =>
    sequence.every((group, at) => {
      const before = new Set(
        sequence
          .slice(0, at)
          .flat()
          .filter((step) => step.do === "open")
          .map(browserOf),
      );
      return group.every((step) => step.do === "open" || step.do === "get" || before.has(step.browser) || at === 0);
    });
  fc.assert(
    fc.property(source, (sequence) => isSound(sequence) && opensOf(sequence) <= SIZE.maxOpens),
    { seed: 1 },
  );
});

test.for(Object.entries(KINDS))(
  "%s sequences contain only harmless arguments, and no concurrent Get requests",
  ([, source]) => {
    fc.assert(
      fc.property(source, (sequence) => {
        const all = sequence
          .flat()
          .flatMap((step) => (step.do === "open" ? [step.options["Args"] ?? []] : []))
          .flat();
        expect(all.filter((each) => typeof each !== "string" || !/^--(lang|window-size)=/.test(each))).toEqual([]);
        for (const group of sequence) expect(group.filter((step) => step.do === "get").length).toBeLessThan(2);
      }),
      { seed: 1 },
    );
  },
);

test("the same seed generates the same sequences", () => {
  const draw = (seed: number): Sequence[] => fc.sample(KINDS.concurrent, { seed, numRuns: 3 });
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test.for(Object.entries(KINDS))("%s sequences without desktops have no graphical browsers", ([, source]) => {
  fc.assert(
    fc.property(source.map(withoutDesktops), (sequence) => {
      const steps = sequence.flat();
      expect(steps.filter((step) => step.do === "open" && isGraphical(step.options))).toEqual([]);
      expect(steps.filter((step) => ["start", "stop", "watch"].includes(step.do))).toEqual([]);
      expect(opensOf(sequence)).toBeGreaterThan(0);
    }),
    { seed: 1 },
  );
});
