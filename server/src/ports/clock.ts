/** Tells the time and sets timers. Tests pass a clock that they control. */
export interface Clock {
  now(): Date;
  /** Monotonic milliseconds since an arbitrary start. Setting the machine's clock doesn't affect them. */
  elapsedMs(): number;
  /** Monotonic milliseconds since the machine started. Unlike `elapsedMs`, they include the time a laptop sleeps. */
  uptimeMs(): number;
  /**
   * Calls back once after `delayMs`, without keeping the process alive. Any delay works, unlike `setTimeout`, which
   * fires immediately above 2^31 ms.
   * @returns A function that cancels the call. It has no effect after the call.
   */
  after(delayMs: number, call: () => void): () => void;
}
