/** The number of attempts per key in a period of `perS` seconds, which starts with the key's first attempt. */
export type AttemptLimit = { readonly points: number; readonly perS: number };

/** The pauses between a key's tries: none for the first few tries, then 1, 2, 4 … seconds. */
export type Pace = {
  /** The number of tries before the first pause. */
  readonly freeTries: number;
  readonly maxPauseS: number;
  /** Time after a key's last try until its tries are forgotten. */
  readonly forgetAfterS: number;
};

/** Counts attempts across all servers in a deployment. */
export interface AttemptStore {
  /**
   * Uses up one of the key's attempts. Concurrent calls can't exceed the limit.
   * @returns Undefined if an attempt was left; otherwise the seconds until another is allowed.
   */
  take(key: string, limit: AttemptLimit): Promise<number | undefined>;
  /**
   * Allows an attempt if the pause after the key's last attempt is over. Of concurrent calls, only one succeeds.
   * @returns Undefined if the attempt was allowed; otherwise the seconds until the pause is over.
   */
  takePaced(key: string, pace: Pace): Promise<number | undefined>;
  /** Undoes a call of `take` or `takePaced`. Has no effect once the key's period is over. */
  giveBack(key: string): Promise<void>;
}
