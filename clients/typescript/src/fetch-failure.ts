/** What Node's `fetch` puts into the cause of what it throws; web browsers say nothing. */
type Cause = {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
};

/** Whether no connection was made, so that nothing was sent. */
export function isNotSent(error: unknown): boolean {
  const { code, syscall, errors, cause } = toCause(error);
  // One error for each address of the host.
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isNotSent);
  if (syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
  return cause !== undefined && isNotSent(cause);
}

/**
 * What TLS says before anything was sent: Node's names of OpenSSL's mistakes and of its verdicts on certificates, and
 * handshakes that fail at the system's level.
 */
const TLS_CODE =
  /^(ERR_SSL_|ERR_TLS_|EPROTO$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|UNABLE_TO_(VERIFY|DECODE|DECRYPT|GET)_)|CERT|CRL_/;

/** Whether TLS could not be set up, as with a certificate that nobody trusts. */
export function isTlsFailure(error: unknown): boolean {
  const { code, cause } = toCause(error);
  if (typeof code === "string" && TLS_CODE.test(code)) return true;
  // A handshake that was cut short has the code of every lost connection, and alone says to whom it was to be.
  if (code === "ECONNRESET" && Object.hasOwn(toCause(error), "localAddress")) return true;
  return cause !== undefined && isTlsFailure(cause);
}

/** Whether `fetch` itself, which waits 300 s for headers and between parts of a body, had enough. */
export function isFetchTimeout(error: unknown): boolean {
  const { code } = toCause(toCause(error).cause);
  return code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT";
}

/** The most telling words, in one line: those of the innermost cause. */
export function wordsOf(error: unknown): string {
  const { cause, errors, code } = toCause(error);
  if (cause !== undefined) return wordsOf(cause);
  if (Array.isArray(errors) && errors.length > 0) return errors.map(wordsOf).join("; ");
  const message = error instanceof Error ? error.message : String(error);
  // OpenSSL's have a line for each mistake.
  return message === "" ? String(code) : message.trim().replaceAll(/\s*\n\s*/g, " ");
}

function toCause(error: unknown): Cause {
  return typeof error === "object" && error !== null ? error : {};
}
