/** Logs one line per event: a name in the past tense (`browser.opened`) and facts, which contain no secrets. */
export interface Log {
  info(event: string, facts?: LogFacts): void;
  warn(event: string, facts?: LogFacts): void;
  error(event: string, facts?: LogFacts): void;
  /**
   * Logs events that callers without an account can trigger. Limits the number of lines per level and second;
   * `unwritten` in the next line is the number of omitted lines.
   * @param level `info` by default.
   */
  sample(event: string, facts?: LogFacts, level?: "info" | "error"): void;
}

/** A log whose reader may be slow. Logging never waits for the reader. */
export interface LogOutput extends Log {
  /** Lines that were dropped because the reader was too slow. */
  readonly dropped: number;
  /** Waits until the reader has read all lines, for at most half a second. */
  flush(): Promise<void>;
}

export type LogFacts = Readonly<Record<string, unknown>>;
