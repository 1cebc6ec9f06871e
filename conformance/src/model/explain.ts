import type { Act } from "./answer.ts";
import { type Moment, isMismatch, momentsOf } from "./judge.ts";
import { type Mismatch, type Model, keyOf } from "./model.ts";

/**
 * Looks for an order of concurrent steps that explains their results.
 * @param models The possible states before the steps. Earlier concurrent steps may leave several possible states.
 * @returns The possible states after the steps, or a mismatch if no order explains the results.
 */
export function explain(models: readonly Model[], acts: readonly Act[]): readonly Model[] | Mismatch {
  const after = new Map<string, Model>();
  const schemaErrors: Mismatch[] = [];
  const go = (model: Model, left: readonly (readonly Moment[])[]): void => {
    if (left.every((moments) => moments.length === 0)) after.set(keyOf(model), model);
    for (const [at, [moment, ...later]] of left.entries()) {
      const judged = moment?.(model);
      if (judged === undefined) continue;
      if (isMismatch(judged)) schemaErrors.push(judged);
      else go(judged, left.with(at, later));
    }
  };
  for (const model of models) go(model, acts.map(momentsOf));
  const [mismatch] = schemaErrors;
  if (after.size > 0 || mismatch === undefined) return [...after.values()];
  if (acts.length === 1) return mismatch;
  return {
    expected: "responses that are possible if the requests run one at a time, in any order",
    seen: "responses that no order of the requests explains",
  };
}
