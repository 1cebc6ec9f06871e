import type { Complaint, Declared } from "../contract/vocabulary.ts";
import type { Exchange } from "./exchange.ts";

/** Thrown when the implementation breaks the rule. */
export class Violation extends Error {
  readonly complaint: Complaint;
  /** The exchanges that show the violation. If undefined, the rule's last exchanges are used. */
  readonly exchanges: readonly Exchange[] | undefined;
  /** When the violation was noticed, in milliseconds since 1970. Later exchanges only clean up. */
  readonly at = Date.now();

  constructor(complaint: Complaint, exchanges?: readonly Exchange[]) {
    super(`expected ${complaint.expected}, but saw ${complaint.seen}`);
    this.complaint = complaint;
    this.exchanges = exchanges;
  }
}

/** Thrown when a rule is inconclusive: a precondition failed for a reason that the rule doesn't test. */
export class Undecidable extends Error {}

/** Thrown when something is missing that the rule needs, so the rule can't be tested. */
export class NotApplicable extends Error {
  readonly skippedBy: "missing" | "inapplicable" | "not offered" = "missing";
}

/** Thrown when the rule can't apply to this deployment at all, for example because Open is too quick to interrupt. */
export class NeverApplicable extends NotApplicable {
  override readonly skippedBy = "inapplicable";
}

/** Thrown when the rule needs something that the deployment refuses. The deployment must declare that it lacks this. */
export class NotOffered extends NotApplicable {
  override readonly skippedBy = "not offered";
  readonly capability: Declared;

  constructor(capability: Declared, message: string) {
    super(message);
    this.capability = capability;
  }
}
