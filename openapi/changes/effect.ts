import type { Verdict } from "./change.ts";
import type { Direction } from "./place.ts";

/** The effect of a change on the allowed values: there are fewer, more, or different ones. */
export type Effect = "narrower" | "wider" | "other";

/** How a keyword of a schema limits the allowed values. Undefined means that the keyword is missing. */
export type Limit = {
  /** @returns Undefined if the same values are allowed. */
  effect(was: unknown, is: unknown): Effect | undefined;
  /** Describes the values that `was` allows and `is` doesn't, in words that follow the value's name. */
  lost(was: unknown, is: unknown): string;
};

/** A server may accept more than before and respond with less, but not the other way round. */
export function judge(direction: Direction, effect: Effect): Verdict {
  return effect === (direction === "request" ? "wider" : "narrower") ? "additive" : "breaking";
}

/** Says which clients a change of a limit affects. */
export function explain(direction: Direction, value: string, limit: Limit, was: unknown, is: unknown): string {
  const effect = limit.effect(was, is);
  if (direction === "request") {
    return effect === "wider"
      ? `A client may send ${value} ${limit.lost(is, was)} now.`
      : `A client that sends ${value} ${limit.lost(was, is)} is refused now.`;
  }
  return effect === "narrower"
    ? `Clients no longer get ${value} ${limit.lost(was, is)}.`
    : `A client may get ${value} ${limit.lost(is, was)} now, which it did not get before.`;
}
