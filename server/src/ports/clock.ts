/** Time, passed in so that rules about it can be tested without waiting. */
export interface Clock {
  now(): Date;
  /**
   * Calls back once after `delayMs`, however long that is (a bare `setTimeout` fires at once past 2^31 ms). Does not
   * keep the process alive.
   * @returns Cancels it; harmless when it has fired.
   */
  after(delayMs: number, call: () => void): () => void;
}
