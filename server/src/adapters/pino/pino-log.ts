import { pino } from "pino";
import type { Log } from "../../ports/log.ts";

// Facts are written by us and hold no secrets; this is the net below, for a fact that should not have been one.
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

/** One JSON object a line on standard error, so that standard output stays what the server says to a person. */
export function pinoLog(level: string): Log {
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
