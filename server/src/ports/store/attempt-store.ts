/** How many attempts a key has in `perS` seconds. The time starts with the key's first attempt. */
export type AttemptLimit = { readonly points: number; readonly perS: number };

/** How the tries of a key follow each other: some immediately, then with pauses of 1, 2, 4 … seconds between them. */
export type Pace = {
  /** Tries that need no pause after them. */
  readonly freeTries: number;
  readonly maxPauseS: number;
  /** The tries of a key are forgotten when its last one is this old. */
  readonly forgetAfterS: number;
};

/** Counts attempts for all servers of a deployment together. */
export interface AttemptStore {
  /**
   * Takes one of the key's attempts, so concurrent calls can't exceed the limit.
   * @returns Undefined if one was left; otherwise the seconds until the next one.
   */
  take(key: string, limit: AttemptLimit): Promise<number | undefined>;
  /**
   * Takes a try if the pause after the key's last one is over. Of concurrent calls, one gets it.
   * @returns Undefined if it is; otherwise the seconds until then.
   */
  takePaced(key: string, pace: Pace): Promise<number | undefined>;
  /** Gives an attempt or a try back. Has no effect after the key's time is over. */
  giveBack(key: string): Promise<void>;
}
