import type { Complaint } from "../contract/vocabulary.ts";
import type { Exchange } from "./exchange.ts";

/** Thrown when the implementation breaks the rule. */
export class Violation extends Error {
  readonly complaint: Complaint;
  /** The exchanges that show the violation. If undefined, the rule's last exchanges are used. */
  readonly exchanges: readonly Exchange[] | undefined;

  constructor(complaint: Complaint, exchanges?: readonly Exchange[]) {
    super(`expected ${complaint.expected}, but saw ${complaint.seen}`);
    this.complaint = complaint;
    this.exchanges = exchanges;
  }
}

/** Thrown when a rule is inconclusive: a precondition failed for a reason that the rule doesn't test. */
export class Undecidable extends Error {}

/** Thrown when the rule doesn't apply because the deployment lacks the feature. */
export class NotApplicable extends Error {}
