/** Hashes passwords. Hashing is deliberately slow and costly, so the number of running and waiting calls is limited. */
export interface PasswordHasher {
  /**
   * @param password The password as the user typed it. `hash` and `verify` both normalize it (`toComparable`).
   * @returns The hash with its salt and parameters, different on every call.
   * @throws {HasherBusy} Immediately, if too many calls are waiting.
   */
  hash(password: string): Promise<string>;

  /**
   * Takes the same time for correct and wrong passwords. For unknown accounts, verify against a decoy hash, so that
   * timing reveals nothing.
   * @param stored A result of `hash`, possibly from an earlier release with other parameters.
   * @throws {HasherBusy} If too many calls are waiting. Thrown immediately.
   * @throws {Error} If `stored` is not a result of `hash`.
   */
  verify(password: string, stored: string): Promise<boolean>;
}

/** Too many passwords are waiting to be hashed. Retry in a few seconds. */
export class HasherBusy extends Error {
  override readonly name = "HasherBusy";
}
