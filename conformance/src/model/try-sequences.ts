import * as fc from "fast-check";
import type { Run } from "../session/run.ts";
import { Undecidable, Violation } from "../target/violation.ts";
import { Sequences, weigh } from "./shrink.ts";
import { type Sequence, opensOf } from "./step.ts";
import { describeSteps, nameOf } from "./describe-steps.ts";
import { type Failure, trySequence } from "./try-sequence.ts";

export type Effort = {
  /** Maximum number of browsers to open until a sequence fails. */
  readonly opens: number;
  /** Time after which no new sequence starts, in ms. */
  readonly withinMs: number;
  /** Maximum number of additional browsers to open for shrinking. */
  readonly shrinkOpens: number;
  readonly shrinkMs: number;
  /** Maximum number of times to repeat the shrunk sequence until it fails again. */
  readonly repeats: number;
};

const MAX_SEQUENCES = 100;

/**
 * Runs random sequences until one fails or an `effort` limit is reached, and shrinks the failing sequence.
 * @throws {Violation} With the shortest failing sequence and its exchanges.
 * @throws {Undecidable} When no browser could be opened.
 */
export async function trySequences(run: Run, source: fc.Arbitrary<Sequence>, effort: Effort): Promise<void> {
  const failures = new Map<Sequence, Failure>();
  const sequences = new Sequences(source, (sequence) => failures.get(sequence)?.failing);
  let left = { opens: effort.opens, deadline: Date.now() + effort.withinMs };
  let last: { readonly sequence: Sequence; readonly failure: Failure } | undefined;
  let broken: { readonly error: unknown } | undefined;
  let isOpened = false;

  /** @returns True if the sequence passed, or if an `effort` limit has been reached. */
  const isFine = async (sequence: Sequence): Promise<boolean> => {
    const opens = opensOf(sequence);
    if (broken !== undefined || opens > left.opens || Date.now() > left.deadline) return true;
    left = { ...left, opens: left.opens - opens };
    try {
      const outcome = await trySequence(run, sequence);
      isOpened ||= outcome.isOpened;
      if (outcome.failure === undefined) return true;
      // A shorter sequence that fails later, while its browsers are being closed, can have more steps in total.
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
  // An earlier failure counts even if the server has since become unreachable.
  const { error } = (broken ?? {}) as { error?: unknown };
  if (error !== undefined) throw error;
  if (!isOpened) throw new Undecidable("No browser could be opened, so no sequence was tested.");
}

/** Repeats the shrunk sequence to distinguish permanent failures from occasional ones. */
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
  const times = isSeenAgain ? "seen again when repeated" : `seen once, but not when repeated ${repeats} times`;
  const { expected, seen, browser } = failure.mismatch;
  const subject = browser === undefined ? "" : `${nameOf(browser, failure.played)} `;
  return new Violation(
    {
      expected: `${subject}${expected}, after these steps`,
      seen: `${seen} (${times}):\n${describeSteps(failure.played).join("\n")}`,
    },
    failure.exchanges,
  );
}
