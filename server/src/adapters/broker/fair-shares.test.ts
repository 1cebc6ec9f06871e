import { expect, test } from "vitest";
import { FairShares } from "./fair-shares.ts";

/** Returns all sandboxes' weights after the steps. */
function weigh(steps: (shares: FairShares) => void): Record<string, number> {
  const weights: Record<string, number> = {};
  steps(
    new FairShares((ids, weight) => {
      for (const id of ids) weights[id] = weight;
    }),
  );
  return weights;
}

test("accounts have equal shares, however many sandboxes they have", () => {
  const weights = weigh((shares) => {
    for (const id of ["a1", "a2", "a3", "a4"]) shares.add("a", id);
    shares.add("b", "b1");
  });
  expect(weights).toEqual({ a1: 2500, a2: 2500, a3: 2500, a4: 2500, b1: 10_000 });
});

test("an ended sandbox's share goes to the account's other sandboxes", () => {
  const weights = weigh((shares) => {
    for (const id of ["a1", "a2"]) shares.add("a", id);
    shares.remove("a", "a1");
    shares.remove("a", "a1");
    shares.remove("unknown", "a2");
  });
  expect(weights["a2"]).toBe(10_000);
});

test("an account with many sandboxes receives its share to within 10 %, with few weight changes", () => {
  let changes = 0;
  const weights = new Map<string, number>();
  const shares = new FairShares((ids, weight) => {
    changes += ids.length;
    for (const id of ids) weights.set(id, weight);
  });
  for (let at = 0; at < 1000; at += 1) shares.add("a", String(at));
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
  expect(Math.abs(sum / 10_000 - 1)).toBeLessThanOrEqual(0.1);
  expect(changes).toBeLessThan(20_000);
});
