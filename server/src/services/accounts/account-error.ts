/** What somebody got wrong about an account, said for people. */
export class AccountError extends Error {
  override readonly name = "AccountError";
}

/** A plan that the operator does not offer. */
export class UnknownPlan extends AccountError {}
