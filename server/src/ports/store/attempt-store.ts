/** The number of attempts per key in `perS` seconds. The period starts with the key's first attempt. */
export type AttemptLimit = { readonly points: number; readonly perS: number };

/** The pauses between a key's tries: none after the first tries, then 1, 2, 4 … seconds. */
export type Pace = {
  /** The number of tries without a pause. */
  readonly freeTries: number;
  readonly maxPauseS: number;
  /** A key's tries are forgotten this long after its last try. */
  readonly forgetAfterS: number;
};

/** Counts attempts for all servers in a deployment together. */
export interface AttemptStore {
  /**
   * Takes one of the key's attempts. Concurrent calls can't exceed the limit together.
   * @returns Undefined if an attempt was left; otherwise the seconds until the next attempt.
   */
  take(key: string, limit: AttemptLimit): Promise<number | undefined>;
  /**
   * Takes a try if the pause after the key's last try is over. Only one of several concurrent calls succeeds.
   * @returns Undefined if the try was taken; otherwise the seconds until the pause is over.
   */
  takePaced(key: string, pace: Pace): Promise<number | undefined>;
  /** Returns an attempt or a try. Has no effect after the key's period is over. */
  giveBack(key: string): Promise<void>;
}
