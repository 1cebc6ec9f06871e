/** Tells the time and sets timers. Tests pass a clock that they control. */
export interface Clock {
  now(): Date;
  /** Milliseconds since some moment. They pass evenly, also when the machine's clock is set. */
  elapsedMs(): number;
  /** Milliseconds since the machine started. As `elapsedMs`, but they also pass while a laptop sleeps. */
  uptimeMs(): number;
  /**
   * Calls back once after `delayMs`, without keeping the process alive. Any delay works, whereas `setTimeout` fires
   * immediately above 2^31 ms.
   * @returns Cancels the call. Has no effect after the call.
   */
  after(delayMs: number, call: () => void): () => void;
}
