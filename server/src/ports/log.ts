/** Logs one line per event: its name in the past tense (`browser.opened`) and its facts, which contain no secrets. */
export interface Log {
  info(event: string, facts?: LogFacts): void;
  warn(event: string, facts?: LogFacts): void;
  error(event: string, facts?: LogFacts): void;
  /**
   * For events that callers without an account cause. Writes a limited number of each level per second; `unwritten` in
   * the next one says how many were left out.
   * @param level By default, `info`.
   */
  sample(event: string, facts?: LogFacts, level?: "info" | "error"): void;
}

/** A log whose reader may be slow. Logging never waits for it. */
export interface LogOutput extends Log {
  /** Lines that were dropped because the reader was too slow. */
  readonly dropped: number;
  /** Waits until the reader has taken all lines, for half a second at most. */
  flush(): Promise<void>;
}

export type LogFacts = Readonly<Record<string, unknown>>;
