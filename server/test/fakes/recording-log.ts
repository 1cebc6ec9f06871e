import { pino } from "pino";
import type { LogFacts, LogOutput } from "../../src/ports/log.ts";

/** Records log lines, so that a test can read them. */
export class RecordingLog implements LogOutput {
  readonly dropped = 0;
  readonly lines: { readonly event: string; readonly facts: LogFacts | undefined }[] = [];
  /** The names of the events that the service logs at a limited rate. */
  readonly sampled = new Set<string>();

  info(event: string, facts?: LogFacts): void {
    this.lines.push({ event, facts });
  }

  warn(event: string, facts?: LogFacts): void {
    this.lines.push({ event, facts });
  }

  error(event: string, facts?: LogFacts): void {
    this.lines.push({ event, facts });
  }

  sample(event: string, facts?: LogFacts): void {
    this.sampled.add(event);
    this.lines.push({ event, facts });
  }

  async flush(): Promise<void> {}

  /** Returns all lines as the service formats them, including each error's message, stack and cause. */
  text(): string {
    const toWritten = (_: string, value: unknown): unknown =>
      value instanceof Error ? pino.stdSerializers.err(value) : value;
    return JSON.stringify(this.lines, toWritten);
  }
}
