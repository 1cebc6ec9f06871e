/** A number in the list of invariants in docs/development.md. */
export type Invariant = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "10" | "11" | "other";

/** A violated invariant. */
export type Violation = { readonly invariant: Invariant; readonly what: string; readonly facts: readonly unknown[] };

/** Maximum number of facts per violation. A violation's facts are mostly similar. */
const MAX_FACTS = 5;

/** Returns a violation with the facts; an empty list if there are no facts. */
export function toViolations(invariant: Invariant, what: string, facts: readonly unknown[]): Violation[] {
  if (facts.length === 0) return [];
  return [{ invariant, what: `${what} (${facts.length})`, facts: facts.slice(0, MAX_FACTS) }];
}
