import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { type Group, type Sequence, type Step, browserOf, isGraphical } from "./step.ts";

/** The failing part of a sequence, where shrinking starts. */
export type Failing = {
  /** The steps that ran, with the failing steps last. */
  readonly steps: Sequence;
  /** The browsers that the failing steps act on. */
  readonly browsers: ReadonlySet<number>;
};

/**
 * Shrinks sequences in few tries, because each try opens browsers. fast-check's own arrays don't know which step
 * failed, or which browser a step acts on.
 */
export class Sequences extends fc.Arbitrary<Sequence> {
  readonly #source: fc.Arbitrary<Sequence>;
  readonly #failingOf: (sequence: Sequence) => Failing | undefined;

  constructor(source: fc.Arbitrary<Sequence>, failingOf: (sequence: Sequence) => Failing | undefined) {
    super();
    this.#source = source;
    this.#failingOf = failingOf;
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<Sequence> {
    return new fc.Value(this.#source.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is Sequence {
    return Array.isArray(value);
  }

  /** @param context Number of trailing steps known to be necessary. */
  shrink(sequence: Sequence, context: unknown): fc.Stream<fc.Value<Sequence>> {
    const failing = this.#failingOf(sequence);
    if (failing === undefined) return fc.Stream.nil();
    const needed = typeof context === "number" ? context : undefined;
    return fc.stream(shorter(failing, needed));
  }
}

/** Weighs a sequence by its number of steps, then by its number of concurrent steps, then by the steps' details. */
export function weigh(steps: Sequence): number {
  const crowded = steps.filter((group) => group.length > 1).flat();
  return steps.flat().length * 1e9 + crowded.length * 1e6 + JSON.stringify(steps.flat()).length;
}

function* shorter(
  { steps: played, browsers }: Failing,
  needed: number | undefined,
): Generator<fc.Value<Sequence>, void, void> {
  if (needed === undefined) yield* drastic(played, browsers);
  const steps = played.flat();
  // Try removing the steps before the necessary ones, last first. Then retry the necessary steps, which may have been
  // necessary only because of a removed step.
  const places = steps.map((_, place) => place).toReversed();
  const known = needed ?? played.at(-1)?.length ?? 0;
  for (const place of [...places.slice(known), ...places.slice(0, known)]) {
    const step = steps[place];
    if (step === undefined) continue;
    const isGone = (other: Step): boolean =>
      other === step || (step.do === "open" && other.do !== "err" && browserOf(other) === step.browser);
    const left = played.map((group) => group.filter((other) => !isGone(other)));
    yield new fc.Value(compact(left), steps.length - 1 - place);
  }
  for (const [place, group] of played.entries()) {
    if (group.length < 2) continue;
    yield new fc.Value(played.toSpliced(place, 1, ...group.map((step) => [step])), 0);
  }
  for (const [place, step] of steps.entries()) {
    const plain = toPlain(step);
    if (plain === undefined) continue;
    yield new fc.Value(
      played.map((group) => group.map((other) => (other === step ? plain : other))),
      steps.length - 1 - place,
    );
  }
}

/** Keeps only the steps on the failing steps' browsers, which is usually enough to reproduce the failure. */
function* drastic(played: Sequence, browsers: ReadonlySet<number>): Generator<fc.Value<Sequence>, void, void> {
  if (browsers.size === 0) return;
  const isAbout = (step: Step): boolean => browsers.has(browserOf(step) ?? -1);
  const before = played.slice(0, -1);
  const opens = before.map((group) => group.filter((step) => step.do === "open" && isAbout(step)));
  const about = before.map((group) => group.filter(isAbout));
  for (const start of [opens, about]) {
    const left = compact([...start, ...played.slice(-1)]);
    if (left.flat().length < played.flat().length) yield new fc.Value(left, undefined);
  }
}

function compact(sequence: Sequence): Sequence {
  return sequence.filter((group: Group) => group.length > 0);
}

/** Returns the step without special options, or undefined if it has none. */
function toPlain(step: Step): Step | undefined {
  if (step.do === "open") {
    const { KeepOpen } = step.options;
    const options = { KeepOpen, ...(isGraphical(step.options) ? {} : { Headless: true }) };
    const isPlain = step.labelEnd === "" && step.isKeyed === undefined && isDeepStrictEqual(step.options, options);
    return isPlain ? undefined : { do: "open", browser: step.browser, labelEnd: "", options };
  }
  if (!("form" in step) || step.form === "as given") return undefined;
  return { ...step, form: "as given" };
}
