/** How many attempts a key has in `perS` seconds. The time starts with the key's first attempt. */
export type AttemptLimit = { readonly points: number; readonly perS: number };

/** Counts attempts for all servers of a deployment together. */
export interface AttemptStore {
  /**
   * Takes one of the key's attempts, so concurrent calls can't exceed the limit.
   * @returns Undefined if one was left; otherwise the seconds until the next one.
   */
  take(key: string, limit: AttemptLimit): Promise<number | undefined>;
  /** Gives an attempt back. Has no effect after the key's time is over. */
  giveBack(key: string): Promise<void>;
}
