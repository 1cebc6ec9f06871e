/** The server sent no response that a rule can check. */
export class NoAnswer extends Error {
  /** Whether the server was reached but did not answer. */
  readonly isReached: boolean;
  /** What was expected instead. */
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

/** Converts an error of `fetch` or a socket. @param request Names the request. */
export function toNoAnswer(request: string, cause: unknown): NoAnswer {
  const code = readCode(cause);
  if (code !== undefined && (UNREACHED.has(code) || /CERT|TLS|SSL|SIGNATURE/.test(code))) {
    return new NoAnswer(`${request} did not reach a server: ${code}.`, { isReached: false, cause });
  }
  const why = code ?? (cause instanceof Error ? cause.message : String(cause));
  return new NoAnswer(`${request} got no answer: the connection ended (${why}).`, { isReached: true, cause });
}

function readCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return readCode(error.errors[0]);
  return readCode(error.cause);
}
