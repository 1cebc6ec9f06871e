/** Time. Tests pass a clock that they control. */
export interface Clock {
  now(): Date;
  /**
   * Calls back once after `delayMs`, without keeping the process alive. Any delay works; a bare `setTimeout` fires at once
   * above 2^31 ms.
   * @returns Cancels the call; harmless when it has been made.
   */
  after(delayMs: number, call: () => void): () => void;
}
