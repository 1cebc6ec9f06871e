import type { Verdict } from "./change.ts";
import type { Direction } from "./place.ts";

/** What a change does to the values that fit: fewer do, more do, or others do. */
export type Effect = "narrower" | "wider" | "other";

/** How one keyword of a schema limits the values that fit. Undefined means that it is not there. */
export type Limit = {
  /** @returns Undefined when the same values fit. */
  effect(was: unknown, is: unknown): Effect | undefined;
  /** The values that fitted `was` and do not fit `is`, in words that follow the value's name. */
  lost(was: unknown, is: unknown): string;
};

/** A server may take more than it did and answer less, never the other way round. */
export function judge(direction: Direction, effect: Effect): Verdict {
  return effect === (direction === "request" ? "wider" : "narrower") ? "additive" : "breaking";
}

/** Whom a change of a limit concerns. */
export function explain(direction: Direction, value: string, limit: Limit, was: unknown, is: unknown): string {
  const effect = limit.effect(was, is);
  if (direction === "request") {
    return effect === "wider"
      ? `A client may send ${value} ${limit.lost(is, was)} now.`
      : `A client that sends ${value} ${limit.lost(was, is)} is refused now.`;
  }
  return effect === "narrower"
    ? `No client gets ${value} ${limit.lost(was, is)} any more.`
    : `A client may get ${value} ${limit.lost(is, was)} now, which it never did.`;
}
