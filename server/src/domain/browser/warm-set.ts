import type { BrowserKind } from "./browser-kind.ts";
import { readOpenOptions } from "./open-options.ts";
import { type OptionSet, toSetKey } from "./option-set.ts";

/** Browsers of one option set that stand ready for whoever opens such a one. */
export type WarmSet = { readonly options: OptionSet; readonly count: number };

/** A machine that carries fewer has no place to spare for a browser that perhaps nobody opens. */
const MIN_CAPACITY = 4;

/** So many browsers of the options that an Open has when it names none. */
export function toDefaultOptions(count: number): readonly WarmSet[] {
  return count === 0 ? [] : [{ options: toOptionSet(readOpenOptions({})), count }];
}

/** Only what a set consists of. */
export function toOptionSet({ kind, isHeadless, isStealthy, switches, ignoredSwitches }: OptionSet): OptionSet {
  return { kind, isHeadless, isStealthy, switches, ignoredSwitches };
}

/** What stands ready when the operator has not said it. */
export function toDefaultWarmSets(machine: {
  readonly capacity: number;
  readonly kinds: ReadonlySet<BrowserKind>;
  readonly isJailed: boolean;
}): readonly WarmSet[] {
  // Without a jail, pages of other browsers could reach the one that waits, and prepare it for whoever takes it.
  const hasRoom = machine.isJailed && machine.capacity >= MIN_CAPACITY;
  return toDefaultOptions(hasRoom && machine.kinds.has("chromium") ? 1 : 0);
}

/** What keeps a machine from holding these sets, a sentence each. */
export function findWarmMistakes(
  sets: readonly WarmSet[],
  capacity: number,
  kinds: ReadonlySet<BrowserKind>,
): readonly string[] {
  const missing = new Set(sets.map(({ options }) => options.kind).filter((kind) => !kinds.has(kind)));
  const count = sets.reduce((sum, set) => sum + set.count, 0);
  return [
    ...Array.from(missing, (kind) => `RBS_WARM wants browsers of the kind ${kind}, which is not installed here.`),
    ...(count > capacity
      ? [`RBS_WARM wants ${count} browsers ready, and this machine carries ${capacity} (RBS_CAPACITY).`]
      : []),
  ];
}

/** Positions of the sets that are the same as one before them. */
export function findRepeated(sets: readonly WarmSet[]): readonly number[] {
  const keys = sets.map(({ options }) => toSetKey(options));
  return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [index] : []));
}
