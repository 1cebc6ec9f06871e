import type { Installed } from "../browser/browser-kind.ts";
import { type LaunchOptions, readOpenOptions } from "../browser/open-options.ts";

/** A number of warm browsers with the same options. */
export type WarmSet = { readonly options: LaunchOptions; readonly count: number };

/** The value of `RBS_WARM`. */
export type WarmSetting = {
  /** Sets with a fixed number of browsers, in the operator's order. */
  readonly sets: readonly WarmSet[];
  /** Whether more browsers are kept ready for recently used options. */
  readonly isAuto: boolean;
};

/** The warm browsers of a machine. */
export type WarmPlan = {
  readonly sets: readonly WarmSet[];
  /** Additional slots for recently used options; undefined if there are none. */
  readonly auto:
    | {
        readonly limit: number;
        /** Options that hold a slot from startup until other options need it. */
        readonly first: LaunchOptions | undefined;
      }
    | undefined;
};

/** Minimum capacity for `auto`. On smaller machines, warm browsers could use memory that Open requests need. */
const MIN_CAPACITY = 4;
/** Capacity share for `auto`. With a larger share, Open requests would often wait for a warm browser to close. */
const MAX_SHARE = 0.5;

/** The options that apply if an Open request has none. */
const DEFAULTS = toLaunchOptions(readOpenOptions({}));

/** Returns a key that is equal only for options that start the same browser. */
export function toWarmKey(options: LaunchOptions): string {
  const { kind, isHeadless, isStealthy, switches, ignoredSwitches, memoryBytes, hasWebGl } = options;
  // No list contains a switch twice, so the order doesn't matter.
  const lists = [switches.toSorted(), ignoredSwitches.toSorted()];
  return JSON.stringify([kind, isHeadless, isStealthy, ...lists, memoryBytes, hasWebGl]);
}

/** Returns log facts about the options, without user-supplied text. */
export function toLogFacts({ kind, isHeadless, isStealthy, switches, ignoredSwitches }: LaunchOptions): object {
  return { kind, isHeadless, isStealthy, switches: switches.length, ignoredSwitches: ignoredSwitches.length };
}

/** Returns a set of `count` browsers with Open's default options, or no set for 0. */
export function toSetsOfDefaults(count: number): readonly WarmSet[] {
  return count === 0 ? [] : [{ options: DEFAULTS, count }];
}

/** Omits the options that can also be set on a running browser. */
export function toLaunchOptions({
  kind,
  isHeadless,
  isStealthy,
  switches,
  ignoredSwitches,
  memoryBytes,
  hasWebGl,
}: LaunchOptions): LaunchOptions {
  return { kind, isHeadless, isStealthy, switches, ignoredSwitches, memoryBytes, hasWebGl };
}

/** @returns Undefined if the machine is too small or has no sandboxes. */
export function toAutoPlan(machine: {
  readonly capacity: number;
  /** Number of idle browsers that fit into memory. */
  readonly idle: number;
  readonly installed: Installed;
  readonly isSandboxed: boolean;
}): WarmPlan["auto"] {
  const { capacity, idle, installed, isSandboxed } = machine;
  // Without a sandbox, pages in other browsers could tamper with a warm browser before an Open request uses it.
  if (!isSandboxed || capacity < MIN_CAPACITY) return undefined;
  const limit = Math.max(1, Math.min(idle, Math.floor(capacity * MAX_SHARE)));
  const canOpenDefault = installed.kinds.has(DEFAULTS.kind) && installed.isHeadlessOnly !== true;
  return { limit, first: canOpenDefault ? DEFAULTS : undefined };
}

/** Returns the reasons why a machine can't keep these sets ready, as one sentence each. */
export function findWarmMistakes(
  sets: readonly WarmSet[],
  capacity: number,
  { kinds, isHeadlessOnly }: Installed,
): readonly string[] {
  const missing = new Set(sets.map(({ options }) => options.kind).filter((kind) => !kinds.has(kind)));
  const needsScreens = sets.some(({ options }) => !options.isHeadless);
  const count = sets.reduce((sum, set) => sum + set.count, 0);
  return [
    ...Array.from(
      missing,
      (kind) => `RBS_WARM includes browsers of the kind ${kind}, which isn't installed on this machine.`,
    ),
    ...(needsScreens && isHeadlessOnly === true
      ? ["RBS_WARM includes graphical browsers, but Xvnc isn't installed. Set Headless to true in the RBS_WARM sets."]
      : []),
    ...(count > capacity
      ? [`RBS_WARM includes ${count} browsers, but the capacity of this machine is ${capacity} (RBS_CAPACITY).`]
      : []),
  ];
}

/** Returns the indexes of entries that repeat an earlier entry. */
export function findRepeated(entries: readonly (WarmSet | "auto")[]): readonly number[] {
  const keys = entries.map((entry) => (entry === "auto" ? entry : toWarmKey(entry.options)));
  return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [index] : []));
}
