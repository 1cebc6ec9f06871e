import type { OpenOptions } from "./open-options.ts";

/** All of an Open that decides how its browser is started; the rest can be settled with one that runs. */
export type OptionSet = Pick<OpenOptions, "kind" | "isHeadless" | "isStealthy" | "switches" | "ignoredSwitches">;

/** A text that is the same for two sets exactly when browsers started with them can stand for each other. */
export function toSetKey({ kind, isHeadless, isStealthy, switches, ignoredSwitches }: OptionSet): string {
  // Each switch stands in its list once, so their order tells the browser nothing.
  return JSON.stringify([kind, isHeadless, isStealthy, switches.toSorted(), ignoredSwitches.toSorted()]);
}

/** What a log says of a set: nothing that somebody wrote. */
export function describeSet({ kind, isHeadless, isStealthy, switches, ignoredSwitches }: OptionSet): object {
  return { kind, isHeadless, isStealthy, switches: switches.length, ignoredSwitches: ignoredSwitches.length };
}
