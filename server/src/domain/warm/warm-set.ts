import type { Installed } from "../browser/browser-kind.ts";
import { type LaunchOptions, readOpenOptions } from "../browser/open-options.ts";

/** How many warm browsers to keep ready, and the options to start them with. */
export type WarmSet = { readonly options: LaunchOptions; readonly count: number };

/** What `RBS_WARM` asks for. */
export type WarmSetting = {
  /** Sets with a fixed number of browsers, in the operator's order. */
  readonly sets: readonly WarmSet[];
  /** Whether more browsers are kept ready for the options opened recently. */
  readonly isAuto: boolean;
};

/** What a machine keeps ready. */
export type WarmPlan = {
  readonly sets: readonly WarmSet[];
  /** Slots for the options opened recently, beyond the slots of `sets`; undefined without any. */
  readonly auto:
    | {
        readonly limit: number;
        /** Has a slot from the start, for as long as the others leave one. */
        readonly first: LaunchOptions | undefined;
      }
    | undefined;
};

/**
 * Machines with a lower capacity keep warm browsers only for fixed sets: they would hold memory that an Open request
 * may need.
 */
const MIN_CAPACITY = 4;
/**
 * The share of the capacity that `auto` uses. With more, an Open request would often have to wait until a warm browser
 * has ended.
 */
const MAX_SHARE = 0.5;

/** The options that Open has by default. */
const DEFAULTS = toLaunchOptions(readOpenOptions({}));

/** @returns The same text for options that start the same browser, and a different text for all others. */
export function toWarmKey(options: LaunchOptions): string {
  const { kind, isHeadless, isStealthy, switches, ignoredSwitches, memoryBytes, hasWebGl } = options;
  // Each switch occurs once in its list, so the order makes no difference to the browser.
  const lists = [switches.toSorted(), ignoredSwitches.toSorted()];
  return JSON.stringify([kind, isHeadless, isStealthy, ...lists, memoryBytes, hasWebGl]);
}

/** Facts about the options for the log, without any text that users wrote. */
export function toLogFacts({ kind, isHeadless, isStealthy, switches, ignoredSwitches }: LaunchOptions): object {
  return { kind, isHeadless, isStealthy, switches: switches.length, ignoredSwitches: ignoredSwitches.length };
}

/** The set of `count` browsers with Open's default options; no set for 0. */
export function toSetsOfDefaults(count: number): readonly WarmSet[] {
  return count === 0 ? [] : [{ options: DEFAULTS, count }];
}

/** Leaves out the options that can also be set on a running browser. */
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

/** What `auto` keeps ready; undefined on a machine that is too small. */
export function toAutoPlan(machine: {
  readonly capacity: number;
  /** How many idle browsers there is memory for. */
  readonly idle: number;
  readonly installed: Installed;
  readonly isSandboxed: boolean;
}): WarmPlan["auto"] {
  const { capacity, idle, installed, isSandboxed } = machine;
  // Without a sandbox, pages in other browsers could reach a waiting browser and tamper with it before it is opened.
  if (!isSandboxed || capacity < MIN_CAPACITY) return undefined;
  const limit = Math.max(1, Math.min(idle, Math.floor(capacity * MAX_SHARE)));
  const canOpenDefault = installed.kinds.has(DEFAULTS.kind) && installed.isHeadlessOnly !== true;
  return { limit, first: canOpenDefault ? DEFAULTS : undefined };
}

/** Why a machine can't keep these sets ready, one sentence per reason. */
export function findWarmMistakes(
  sets: readonly WarmSet[],
  capacity: number,
  { kinds, isHeadlessOnly }: Installed,
): readonly string[] {
  const missing = new Set(sets.map(({ options }) => options.kind).filter((kind) => !kinds.has(kind)));
  const needsScreens = sets.some(({ options }) => !options.isHeadless);
  const count = sets.reduce((sum, set) => sum + set.count, 0);
  return [
    ...Array.from(missing, (kind) => `RBS_WARM wants browsers of the kind ${kind}, which is not installed here.`),
    ...(needsScreens && isHeadlessOnly === true
      ? ["RBS_WARM wants graphical browsers, but Xvnc is not installed here. Set Headless to true in its sets."]
      : []),
    ...(count > capacity
      ? [`RBS_WARM wants ${count} browsers ready, but the capacity of this machine is ${capacity} (RBS_CAPACITY).`]
      : []),
  ];
}

/** The positions of entries that repeat an earlier one. */
export function findRepeated(entries: readonly (WarmSet | "auto")[]): readonly number[] {
  const keys = entries.map((entry) => (entry === "auto" ? entry : toWarmKey(entry.options)));
  return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [index] : []));
}
