import type { Due } from "./browser.ts";

export const EXTENSION_MS = 600_000;

/** What an extension depends on. */
type Extendable = {
  readonly openedAt: Date;
  readonly due: Due | undefined;
  readonly keepOpenMs: number | undefined;
  readonly lifetimeMs: number | undefined;
};

/**
 * The limits with which a browser closes `EXTENSION_MS` later, or when the plan ends it. Those that are undefined stay.
 * @param maxLifetimeMs The plan's maximum lifetime; undefined: no limit.
 * @returns Undefined if the browser can't be extended: nothing closes it, or the plan does.
 */
export function toExtension(
  { openedAt, due, keepOpenMs, lifetimeMs }: Extendable,
  maxLifetimeMs: number | undefined,
): { readonly keepOpenMs: number | undefined; readonly lifetimeMs: number | undefined } | undefined {
  if (due === undefined || isAtPlanLimit({ openedAt, due }, maxLifetimeMs)) return undefined;
  const ageMs = due.at.getTime() - openedAt.getTime();
  const wantedMs = Math.min(ageMs + EXTENSION_MS, maxLifetimeMs ?? Infinity);
  return {
    // Also if the lifetime is over first: inactivity must not close it shortly afterwards.
    keepOpenMs: keepOpenMs === undefined ? undefined : keepOpenMs + wantedMs - ageMs,
    lifetimeMs: lifetimeMs === undefined || lifetimeMs >= wantedMs ? undefined : wantedMs,
  };
}

/**
 * Whether the browser closes when the plan's maximum lifetime is over, or later: it was opened when the limit was
 * higher.
 */
export function isAtPlanLimit(
  { openedAt, due }: Pick<Extendable, "openedAt" | "due">,
  maxLifetimeMs: number | undefined,
): boolean {
  if (due === undefined || maxLifetimeMs === undefined) return false;
  return due.at.getTime() - openedAt.getTime() >= maxLifetimeMs;
}
