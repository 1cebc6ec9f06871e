/** Hashes passwords. This is slow and costly on purpose, so the number of running and waiting calls is limited. */
export interface PasswordHasher {
  /**
   * @param password As the user typed it. `hash` and `verify` both normalize it first (`toComparable`).
   * @returns The hash with its salt and parameters. It differs on every call.
   * @throws {HasherBusy} Immediately, if too many calls are waiting.
   */
  hash(password: string): Promise<string>;

  /**
   * Takes the same time for a right and a wrong password. For an account that doesn't exist, verify against a decoy
   * hash, so that the time reveals nothing.
   * @param stored What `hash` returned, now or in an earlier release with other parameters.
   * @throws {HasherBusy} Immediately, if too many calls are waiting.
   * @throws {Error} If `stored` is not a result of `hash`.
   */
  verify(password: string, stored: string): Promise<boolean>;
}

/** Too many passwords are waiting to be hashed. Retrying in a few seconds makes sense. */
export class HasherBusy extends Error {
  override readonly name = "HasherBusy";
}
