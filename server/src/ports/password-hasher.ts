/**
 * Turns passwords into what may be kept of them. Slow and costly on purpose; how many it works on at once is bounded, and
 * so is how many wait.
 */
export interface PasswordHasher {
  /**
   * @param password As it was typed: it is brought into one form first (`toComparable`), here and in `verify` alike.
   * @returns What to keep: the password's hash, with the salt and the parameters that it takes to compare it. Different at
   *   every call.
   * @throws {HasherBusy} At once, when too many wait already.
   */
  hash(password: string): Promise<string>;

  /**
   * Takes equally long for a right and a wrong password. For an account that doesn't exist, verify against something kept
   * for that purpose, so that time doesn't tell.
   * @param kept What `hash` returned, now or by an earlier release with other parameters.
   * @throws {HasherBusy} At once, when too many wait already.
   * @throws {Error} When `kept` is nothing that `hash` returns.
   */
  verify(password: string, kept: string): Promise<boolean>;
}

/** More passwords wait to be hashed than should: trying again in some seconds makes sense. */
export class HasherBusy extends Error {
  override readonly name = "HasherBusy";
}
