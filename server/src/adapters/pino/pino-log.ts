import { isatty } from "node:tty";
import { pino } from "pino";
import type { LogOutput } from "../../ports/log.ts";
import { LineWriter, openStandardError } from "./line-writer.ts";
import { toText } from "./to-text.ts";

// Log calls should never contain secrets. If a call accidentally contains a secret, the field is redacted.
const SECRETS = [
  "token",
  "address",
  "password",
  "viewPassword",
  "authorization",
  "html",
  "prompt",
  "key",
  "devtoolsPath",
];

/** Maximum number of sampled events per second and level, so that refused requests don't hide failed ones. */
const MAX_SAMPLES = 20;
const SAMPLE_MS = 1000;

/** How long the server waits for its log's reader when it stops, in ms. */
const FLUSH_MS = 500;

/**
 * Pino joins the messages of an error and its causes with colons, although our messages end with full stops. Pino would
 * also log the 25 constants of a DOMException, such as an aborted signal's reason.
 */
function toLogged(error: Error): object {
  if (error instanceof DOMException) {
    const { name, message, stack } = error;
    return { type: name, message, stack };
  }
  const logged = pino.stdSerializers.err(error);
  // Code can throw any value. Pino returns values that aren't errors unchanged.
  if (error instanceof Error) logged.message = logged.message.replaceAll(".: ", ": ");
  return logged;
}

type LogOptions = {
  readonly level: string;
  /** `auto`, the default, means text on a terminal and JSON otherwise. */
  readonly format?: "auto" | "json" | "text";
  /** Standard error by default. Standard output is for messages to the operator. */
  readonly fd?: number;
};

/** Writes one line per event: a JSON object, or human-readable text. */
export function newPinoLog({ level, format = "auto", fd = openStandardError() }: LogOptions): LogOutput {
  const isText = format === "text" || (format === "auto" && isatty(fd));
  const render = isText ? toText : (line: string) => line;
  const lines = new LineWriter({
    fd,
    renderDropped: (dropped) =>
      render(
        `${JSON.stringify({ level: "warn", time: new Date().toISOString(), lines: dropped, event: "log.dropped" })}\n`,
      ),
  });
  const logger = pino(
    {
      level,
      base: null,
      messageKey: "event",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: toLogged },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
    },
    { write: (line: string) => lines.write(render(line)) },
  );
  const samples = { info: { since: 0, written: 0, unwritten: 0 }, error: { since: 0, written: 0, unwritten: 0 } };
  return {
    info: (event, facts) => logger.info(facts ?? {}, event),
    warn: (event, facts) => logger.warn(facts ?? {}, event),
    error: (event, facts) => logger.error(facts ?? {}, event),
    sample(event, facts = {}, as = "info") {
      const ofLevel = samples[as];
      const now = performance.now();
      if (now - ofLevel.since >= SAMPLE_MS) Object.assign(ofLevel, { since: now, written: 0 });
      if (ofLevel.written === MAX_SAMPLES) {
        ofLevel.unwritten++;
        return;
      }
      ofLevel.written++;
      logger[as](ofLevel.unwritten === 0 ? facts : { ...facts, unwritten: ofLevel.unwritten }, event);
      ofLevel.unwritten = 0;
    },
    get dropped() {
      return lines.dropped;
    },
    flush: () => lines.flush(FLUSH_MS),
  };
}
