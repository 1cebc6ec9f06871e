/** The number of attempts per key in a period of `perS` seconds, which starts with the key's first attempt. */
export type AttemptLimit = { readonly points: number; readonly perS: number };

/** The pauses between a key's tries: none for the first few tries, then 1, 2, 4 … seconds. */
export type Pace = {
  /** The number of tries without a pause. */
  readonly freeTries: number;
  readonly maxPauseS: number;
  /** Time after a key's last try until its tries are forgotten. */
  readonly forgetAfterS: number;
};

/** Counts attempts across all servers in a deployment. */
export interface AttemptStore {
  /**
   * Uses up one of the key's attempts. Concurrent calls can't exceed the limit.
   * @returns Undefined if an attempt remained; otherwise the seconds until the next attempt.
   */
  take(key: string, limit: AttemptLimit): Promise<number | undefined>;
  /**
   * Uses up a try if the pause after the key's last try is over. Of several concurrent calls, only one succeeds.
   * @returns Undefined if the try was allowed; otherwise the seconds until the pause is over.
   */
  takePaced(key: string, pace: Pace): Promise<number | undefined>;
  /** Restores an attempt or a try. Has no effect once the key's period is over. */
  giveBack(key: string): Promise<void>;
}
