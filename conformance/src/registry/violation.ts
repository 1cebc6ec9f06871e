import type { Complaint } from "./vocabulary.ts";
import type { Exchange } from "../target/exchange.ts";

/** The implementation breaks the rule. */
export class Violation extends Error {
  readonly complaint: Complaint;
  /** The exchanges that show the violation. Undefined means the rule's last exchanges. */
  readonly exchanges: readonly Exchange[] | undefined;

  constructor(complaint: Complaint, exchanges?: readonly Exchange[]) {
    super(`expected ${complaint.expected}, but saw ${complaint.seen}`);
    this.complaint = complaint;
    this.exchanges = exchanges;
  }
}

/** The rule can't be decided: a precondition failed for a reason that the rule does not test. */
export class Undecidable extends Error {}

/** The rule does not apply, because the deployment lacks the feature. */
export class NotApplicable extends Error {}
