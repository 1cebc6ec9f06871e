import type { Complaint } from "./vocabulary.ts";
import type { Exchange } from "../target/exchange.ts";

/** The implementation breaks the rule that is being checked. */
export class Violation extends Error {
  readonly complaint: Complaint;
  /** What shows it; undefined when that is the last that the rule did. */
  readonly exchanges: readonly Exchange[] | undefined;

  constructor(complaint: Complaint, exchanges?: readonly Exchange[]) {
    super(`expected ${complaint.expected}, seen ${complaint.seen}`);
    this.complaint = complaint;
    this.exchanges = exchanges;
  }
}

/** Whether the rule holds can't be told, for a reason that is no fault of the rule's subject: what it needs did not come about. */
export class Undecidable extends Error {}

/** The rule does not apply to this deployment, which lacks what it is about. */
export class NotApplicable extends Error {}
