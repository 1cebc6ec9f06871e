/** Provides the time and timers. Tests pass a clock that they control. */
export interface Clock {
  now(): Date;
  /** Monotonic milliseconds since an arbitrary start. Setting the machine's clock has no effect. */
  elapsedMs(): number;
  /** Monotonic milliseconds since the machine started. Unlike `elapsedMs`, includes time the machine was asleep. */
  uptimeMs(): number;
  /**
   * Calls `call` once after `delayMs`, without keeping the process alive. Any delay works, unlike with `setTimeout`,
   * which fires immediately above 2^31 ms.
   * @returns A function that cancels the call, and has no effect once the call has been made.
   */
  after(delayMs: number, call: () => void): () => void;
}
