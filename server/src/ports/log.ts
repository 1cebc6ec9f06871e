/** What happened, in one line an event: a past-tense name (`browser.opened`) and its facts. Facts hold no secrets. */
export interface Log {
  info(event: string, facts?: LogFacts): void;
  warn(event: string, facts?: LogFacts): void;
  error(event: string, facts?: LogFacts): void;
}

export type LogFacts = Readonly<Record<string, unknown>>;
