/** Logs one line per event: its name in the past tense (`browser.opened`) and its facts, which contain no secrets. */
export interface Log {
  info(event: string, facts?: LogFacts): void;
  warn(event: string, facts?: LogFacts): void;
  error(event: string, facts?: LogFacts): void;
}

export type LogFacts = Readonly<Record<string, unknown>>;
