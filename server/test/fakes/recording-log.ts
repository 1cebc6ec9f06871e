import { pino } from "pino";
import type { Log, LogFacts } from "../../src/ports/log.ts";

/** Records log lines, so that a test can read them. */
export class RecordingLog implements Log {
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

  /** All lines as the service writes them: errors with their message, stack and cause. */
  text(): string {
    const toWritten = (_: string, value: unknown): unknown =>
      value instanceof Error ? pino.stdSerializers.err(value) : value;
    return JSON.stringify(this.lines, toWritten);
  }
}
