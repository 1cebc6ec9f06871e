import { pino } from "pino";
import type { Log } from "../../ports/log.ts";

// Log calls should never pass secrets. This list redacts them if one does by mistake.
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

/** Writes one JSON object per line to standard error. Standard output is for messages to the operator. */
export function newPinoLog(level: string): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: "event",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return {
    info: (event, facts) => logger.info(facts ?? {}, event),
    warn: (event, facts) => logger.warn(facts ?? {}, event),
    error: (event, facts) => logger.error(facts ?? {}, event),
  };
}
