import type { Act } from "./answer.ts";
import { type Moment, isMismatch, momentsOf } from "./judge.ts";
import { type Mismatch, type Model, keyOf } from "./model.ts";

/**
 * Looks for orders in which acts at the same time could have had their answers one after the other.
 * @param models What may be so before, since earlier acts at the same time can have left more than one possibility.
 * @returns What may be so after; or, when no order explains the answers, why not.
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
    expected: "answers that the same requests could have had one after the other, in some order",
    seen: "that no order explains them",
  };
}
