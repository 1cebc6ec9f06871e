import type { Log, LogFacts } from "../../src/ports/log.ts";

/** Keeps what was logged, so that a test can ask. */
export class KeptLog implements Log {
  readonly lines: { readonly event: string; readonly facts: LogFacts | undefined }[] = [];

  info(event: string, facts?: LogFacts): void {
    this.lines.push({ event, facts });
  }

  warn(event: string, facts?: LogFacts): void {
    this.lines.push({ event, facts });
  }

  error(event: string, facts?: LogFacts): void {
    this.lines.push({ event, facts });
  }
}
