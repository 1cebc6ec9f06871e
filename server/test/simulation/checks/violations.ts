/** A number of the list of invariants in docs/development.md. */
export type Invariant = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "10" | "11" | "other";

/** Something that must not happen. */
export type Violation = { readonly invariant: Invariant; readonly what: string; readonly facts: readonly unknown[] };

/** How many facts of a violation are kept: they are mostly alike. */
const MAX_FACTS = 5;

/** @returns One violation with all the facts; none if there are none. */
export function toViolations(invariant: Invariant, what: string, facts: readonly unknown[]): Violation[] {
  if (facts.length === 0) return [];
  return [{ invariant, what: `${what} (${facts.length})`, facts: facts.slice(0, MAX_FACTS) }];
}
