import type { BrowserKind } from "./browser-kind.ts";
import { type LaunchOptions, readOpenOptions } from "./open-options.ts";

/** How many warm browsers to keep ready, and the options to start them with. */
export type WarmSet = { readonly options: LaunchOptions; readonly count: number };

/**
 * Machines with a lower capacity keep no warm browser by default: it would hold memory that an Open request may need.
 */
const MIN_CAPACITY = 4;

/** @returns The same text for options that start the same browser, and a different text for all others. */
export function toWarmKey({ kind, isHeadless, isStealthy, switches, ignoredSwitches }: LaunchOptions): string {
  // Each switch occurs once in its list, so the order makes no difference to the browser.
  return JSON.stringify([kind, isHeadless, isStealthy, switches.toSorted(), ignoredSwitches.toSorted()]);
}

/** Facts about the options for the log, without any text that users wrote. */
export function toLogFacts({ kind, isHeadless, isStealthy, switches, ignoredSwitches }: LaunchOptions): object {
  return { kind, isHeadless, isStealthy, switches: switches.length, ignoredSwitches: ignoredSwitches.length };
}

/** The set of `count` browsers with Open's default options; no set for 0. */
export function toSetsOfDefaults(count: number): readonly WarmSet[] {
  return count === 0 ? [] : [{ options: toLaunchOptions(readOpenOptions({})), count }];
}

/** Leaves out the options that can also be set on a running browser. */
export function toLaunchOptions({
  kind,
  isHeadless,
  isStealthy,
  switches,
  ignoredSwitches,
}: LaunchOptions): LaunchOptions {
  return { kind, isHeadless, isStealthy, switches, ignoredSwitches };
}

/** The sets to keep ready unless the operator chooses others. */
export function toDefaultWarmSets(machine: {
  readonly capacity: number;
  readonly kinds: ReadonlySet<BrowserKind>;
  readonly isSandboxed: boolean;
}): readonly WarmSet[] {
  // Without a sandbox, pages in other browsers could reach a waiting browser and tamper with it before it is opened.
  const hasCapacity = machine.isSandboxed && machine.capacity >= MIN_CAPACITY;
  return toSetsOfDefaults(hasCapacity && machine.kinds.has("chromium") ? 1 : 0);
}

/** Why a machine can't keep these sets ready, one sentence per reason. */
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
      ? [`RBS_WARM wants ${count} browsers ready, but the capacity of this machine is ${capacity} (RBS_CAPACITY).`]
      : []),
  ];
}

/** The positions of sets that repeat an earlier set. */
export function findRepeated(sets: readonly WarmSet[]): readonly number[] {
  const keys = sets.map(({ options }) => toWarmKey(options));
  return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [index] : []));
}
