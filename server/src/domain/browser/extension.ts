import type { Due, Expiry } from "./browser.ts";

export const EXTENSION_MS = 600_000;

type Extendable = Expiry & { readonly openedAt: Date; readonly due: Due | undefined };

/**
 * Returns new limits that keep a browser open for another `EXTENSION_MS`, or until the plan's maximum lifetime.
 * Undefined limits don't change.
 * @param maxLifetimeMs The plan's maximum lifetime; undefined: no limit.
 * @returns Undefined if the browser never closes automatically, or already stays open until the plan's limit.
 */
export function toExtension(
  { openedAt, due, keepOpenMs, lifetimeMs }: Extendable,
  maxLifetimeMs: number | undefined,
): Expiry | undefined {
  if (due === undefined || isAtPlanLimit({ openedAt, due }, maxLifetimeMs)) return undefined;
  const ageMs = due.at.getTime() - openedAt.getTime();
  const wantedMs = Math.min(ageMs + EXTENSION_MS, maxLifetimeMs ?? Infinity);
  return {
    // Even if the lifetime ends first, extend the inactivity period: otherwise, it could soon close the browser.
    keepOpenMs: keepOpenMs === undefined ? undefined : keepOpenMs + wantedMs - ageMs,
    lifetimeMs: lifetimeMs === undefined || lifetimeMs >= wantedMs ? undefined : wantedMs,
  };
}

/** Whether the browser closes at the plan's maximum lifetime, or later because it was opened under a higher limit. */
export function isAtPlanLimit(
  { openedAt, due }: Pick<Extendable, "openedAt" | "due">,
  maxLifetimeMs: number | undefined,
): boolean {
  if (due === undefined || maxLifetimeMs === undefined) return false;
  return due.at.getTime() - openedAt.getTime() >= maxLifetimeMs;
}
