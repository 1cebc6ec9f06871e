/** The server sent no response that a rule can check. */
export class NoAnswer extends Error {
  /** Whether the request reached the server. False if the connection failed. */
  readonly isReached: boolean;
  /** The expected response. */
  readonly expected: string;

  constructor(
    message: string,
    { isReached, expected = "an answer", cause }: { isReached: boolean; expected?: string; cause?: unknown },
  ) {
    super(message, { cause });
    this.isReached = isReached;
    this.expected = expected;
  }
}

const UNREACHED = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"],
]);

/** Converts an error from `fetch` or a socket. @param request The request's name, for the error message. */
export function toNoAnswer(request: string, cause: unknown): NoAnswer {
  const code = readCode(cause);
  if (code !== undefined && (UNREACHED.has(code) || /CERT|TLS|SSL|SIGNATURE/.test(code))) {
    return new NoAnswer(`${request} could not connect to the server: ${code}.`, { isReached: false, cause });
  }
  const why = code ?? (cause instanceof Error ? cause.message : String(cause));
  return new NoAnswer(`${request} received no response: the connection closed (${why}).`, { isReached: true, cause });
}

function readCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return readCode(error.errors[0]);
  return readCode(error.cause);
}
