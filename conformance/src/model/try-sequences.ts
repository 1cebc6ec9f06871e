import * as fc from "fast-check";
import type { Run } from "../run/run.ts";
import { Undecidable, Violation } from "../registry/violation.ts";
import { Sequences, weigh } from "./shrink.ts";
import { type Sequence, opensOf } from "./step.ts";
import { describeSteps, nameOf } from "./describe-steps.ts";
import { type Failure, trySequence } from "./try-sequence.ts";

export type Effort = {
  /** Browsers that are opened at most, as long as nothing is wrong. */
  readonly opens: number;
  /** Begins no other sequence after so long. */
  readonly withinMs: number;
  /** Browsers that are opened besides, to shorten a sequence that went wrong. */
  readonly shrinkOpens: number;
  readonly shrinkMs: number;
  /** How often what is left is repeated at most, until it is seen again. */
  readonly repeats: number;
};

const MAX_SEQUENCES = 100;

/**
 * Plays random sequences until one goes wrong or the effort is spent, and shortens that one.
 * @throws {Violation} With the shortest sequence that was found, and its exchanges.
 * @throws {Undecidable} When nothing could be opened.
 */
export async function trySequences(run: Run, source: fc.Arbitrary<Sequence>, effort: Effort): Promise<void> {
  const failures = new Map<Sequence, Failure>();
  const sequences = new Sequences(source, (sequence) => failures.get(sequence)?.failing);
  let left = { opens: effort.opens, deadline: Date.now() + effort.withinMs };
  let last: { readonly sequence: Sequence; readonly failure: Failure } | undefined;
  let broken: { readonly error: unknown } | undefined;
  let isOpened = false;

  /** @returns Whether it went as it should, also when there is nothing left to try it with. */
  const isFine = async (sequence: Sequence): Promise<boolean> => {
    const opens = opensOf(sequence);
    if (broken !== undefined || opens > left.opens || Date.now() > left.deadline) return true;
    left = { ...left, opens: left.opens - opens };
    try {
      const outcome = await trySequence(run, sequence);
      isOpened ||= outcome.isOpened;
      if (outcome.failure === undefined) return true;
      // What only went wrong later, as all was closed, is no shorter way there.
      if (last !== undefined && weigh(outcome.failure.failing.steps) >= weigh(last.failure.failing.steps)) return true;
      if (last === undefined) left = { opens: effort.shrinkOpens, deadline: Date.now() + effort.shrinkMs };
      last = { sequence, failure: outcome.failure };
      failures.set(sequence, outcome.failure);
      return false;
    } catch (error) {
      broken = { error };
      return true;
    }
  };

  const parameters = { seed: run.options.seed, numRuns: MAX_SEQUENCES };
  await fc.check(fc.asyncProperty(sequences, isFine), parameters);
  if (last !== undefined) throw await toViolation(run, last, effort.repeats);
  // A server that is not reached any more has no part in what was seen before.
  const { error } = (broken ?? {}) as { error?: unknown };
  if (error !== undefined) throw error;
  if (!isOpened) throw new Undecidable("No browser could be opened, so there is nothing to try sequences on.");
}

/** Repeats what is left, to tell what happens always from what happened once. */
async function toViolation(
  run: Run,
  { sequence, failure }: { readonly sequence: Sequence; readonly failure: Failure },
  repeats: number,
): Promise<Violation> {
  let isSeenAgain = false;
  for (let tries = 0; tries < repeats && !isSeenAgain; tries += 1) {
    const outcome = await trySequence(run, sequence).catch(() => undefined);
    isSeenAgain = outcome?.failure !== undefined;
  }
  const times = isSeenAgain ? "seen again when repeated" : `seen once, and not when repeated ${repeats} times`;
  const { expected, seen, browser } = failure.mismatch;
  const subject = browser === undefined ? "" : `${nameOf(browser, failure.played)} `;
  return new Violation(
    {
      expected: `${subject}${expected}, at the end of these steps`,
      seen: `${seen} (${times}):\n${describeSteps(failure.played).join("\n")}`,
    },
    failure.exchanges,
  );
}
