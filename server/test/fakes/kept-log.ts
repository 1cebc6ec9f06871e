import { pino } from "pino";
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

  /** All of it as the service writes it: errors with what they say, where they are from and what caused them. */
  text(): string {
    const toWritten = (_: string, value: unknown): unknown =>
      value instanceof Error ? pino.stdSerializers.err(value) : value;
    return JSON.stringify(this.lines, toWritten);
  }
}
