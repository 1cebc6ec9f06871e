import type { Verdict } from "./change.ts";
import type { Direction } from "./place.ts";

/** Whether a change allows fewer, more, or different values. */
type Effect = "narrower" | "wider" | "other";

/** A schema keyword that limits the allowed values; an undefined value means that the keyword is missing. */
type Limit = {
  /** @returns Undefined if the change doesn't affect which values are allowed. */
  effect(was: unknown, is: unknown): Effect | undefined;
  /** Describes the values that only `was` allows. The text follows the value's name. */
  lost(was: unknown, is: unknown): string;
};

/** A server may accept more and respond with less than before, but not vice versa. */
export function judge(direction: Direction, effect: Effect): Verdict {
  return effect === (direction === "request" ? "wider" : "narrower") ? "additive" : "breaking";
}

/** Says how a change to a limit affects clients. */
export function explain(direction: Direction, value: string, limit: Limit, was: unknown, is: unknown): string {
  const effect = limit.effect(was, is);
  if (direction === "request") {
    return effect === "wider"
      ? `A client may now send ${value} ${limit.lost(is, was)}.`
      : `A client that sends ${value} ${limit.lost(was, is)} is now refused.`;
  }
  return effect === "narrower"
    ? `Clients no longer receive ${value} ${limit.lost(was, is)}.`
    : `A client may now receive ${value} ${limit.lost(is, was)}.`;
}

/** Keywords that limit values. Changes to keywords that aren't listed here count as breaking. */
export const LIMITS: Readonly<Record<string, Limit>> = {
  type: among((type) =>
    type === "null" ? "as null" : `as ${/^[aeiou]/.test(String(type)) ? "an" : "a"} ${String(type)}`,
  ),
  // The values that `enum` and `const` allow.
  values: among((value) => `as ${JSON.stringify(value)}`),
  minLength: atLeast(0, (limit) => `shorter than ${limit} characters`),
  maxLength: atMost((limit) => `longer than ${limit} characters`),
  minItems: atLeast(0, (limit) => `with fewer than ${limit} elements`),
  maxItems: atMost((limit) => `with more than ${limit} elements`),
  minimum: atLeast(-Infinity, (limit) => `below ${limit}`),
  maximum: atMost((limit) => `above ${limit}`),
  "x-max-body-bytes": atMost((limit) => `of more than ${limit} bytes`),
  pattern: fitting((pattern) => `that does not match ${pattern}`, "wider"),
  // Generated clients derive types from the format, so every change to it breaks them.
  format: withoutMark(
    "password",
    fitting((format) => `that is not a ${format}`, "other"),
  ),
};

/** Ignores a keyword value that imposes no limit: `format: password` only makes user interfaces hide the input. */
function withoutMark(mark: string, limit: Limit): Limit {
  const limiting = (value: unknown): unknown => (value === mark ? undefined : value);
  return { ...limit, effect: (was, is) => limit.effect(limiting(was), limiting(is)) };
}

function atMost(beyond: (limit: number) => string): Limit {
  const valueOf = (limit: unknown): number => (typeof limit === "number" ? limit : Infinity);
  return {
    effect: (was, is) => compare(valueOf(is), valueOf(was)),
    lost: (_was, is) => beyond(valueOf(is)),
  };
}

function atLeast(lowest: number, beyond: (limit: number) => string): Limit {
  const valueOf = (limit: unknown): number => (typeof limit === "number" ? limit : lowest);
  return {
    effect: (was, is) => compare(valueOf(was), valueOf(is)),
    lost: (_was, is) => beyond(valueOf(is)),
  };
}

function compare(a: number, b: number): Effect | undefined {
  if (a === b) return undefined;
  return a < b ? "narrower" : "wider";
}

/** A keyword whose values can't be ordered, such as a pattern. */
function fitting(beyond: (keyword: string) => string, without: Effect): Limit {
  return {
    effect: (was, is) => {
      if (was === is) return undefined;
      if (was !== undefined && is !== undefined) return "other";
      return without === "other" ? "other" : was === undefined ? "narrower" : "wider";
    },
    lost: (_was, is) => (typeof is === "string" ? beyond(is) : "in its former form"),
  };
}

/** A set of values. Undefined means all values. */
function among(word: (value: unknown) => string): Limit {
  const missing = (from: unknown, of: unknown): unknown[] =>
    listed(of).filter((value) => Array.isArray(from) && !includes(from, value));
  const isNarrower = (was: unknown, is: unknown): boolean =>
    missing(is, was).length > 0 || (was === undefined && is !== undefined);
  return {
    effect: (was, is) => {
      const narrower = isNarrower(was, is);
      const wider = isNarrower(is, was);
      if (!narrower && !wider) return undefined;
      return narrower && wider ? "other" : narrower ? "narrower" : "wider";
    },
    lost: (was, is) =>
      was === undefined
        ? `other than ${listed(is).map(word).join(" or ")}`
        : missing(is, was).map(word).join(" or ") || "in its former form",
  };
}

function listed(choice: unknown): readonly unknown[] {
  return Array.isArray(choice) ? choice : [];
}

function includes(choice: readonly unknown[], value: unknown): boolean {
  return choice.includes(value) || (value === "integer" && choice.includes("number"));
}
