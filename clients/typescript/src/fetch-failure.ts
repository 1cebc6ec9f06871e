/** The cause of an error from Node's `fetch`. In web browsers, errors have no cause. */
type Cause = {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
};

/** Whether the connection failed before anything was sent. */
export function isNotSent(error: unknown): boolean {
  const { code, syscall, errors, cause } = toCause(error);
  // `errors` has one error for each of the host's addresses.
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isNotSent);
  if (syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
  return cause !== undefined && isNotSent(cause);
}

/**
 * Codes of TLS failures, which happen before anything is sent: Node's names for OpenSSL errors, certificate checks, and
 * handshakes that fail in a system call.
 */
const TLS_CODE =
  /^(ERR_SSL_|ERR_TLS_|EPROTO$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|UNABLE_TO_(VERIFY|DECODE|DECRYPT|GET)_)|CERT|CRL_/;

/** Whether the TLS handshake failed, for example because the certificate is not trusted. */
export function isTlsFailure(error: unknown): boolean {
  const { code, cause } = toCause(error);
  if (typeof code === "string" && TLS_CODE.test(code)) return true;
  // An interrupted handshake has the same code as any lost connection, but only handshake errors have a `localAddress`.
  if (code === "ECONNRESET" && Object.hasOwn(toCause(error), "localAddress")) return true;
  return cause !== undefined && isTlsFailure(cause);
}

/** Whether `fetch` blocks the port because another protocol uses it. Node's error has no code. */
export function isForbiddenPort(error: unknown): boolean {
  const { cause } = toCause(error);
  return cause instanceof Error && cause.message === "bad port";
}

/** Whether `fetch` itself timed out. Node's `fetch` waits up to 300 s for headers, and for each chunk of a body. */
export function isFetchTimeout(error: unknown): boolean {
  const { code } = toCause(toCause(error).cause);
  return code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT";
}

/** Returns the message of the innermost cause on one line. The innermost cause is the most specific. */
export function wordsOf(error: unknown): string {
  const { cause, errors, code } = toCause(error);
  if (cause !== undefined) return wordsOf(cause);
  if (Array.isArray(errors) && errors.length > 0) return errors.map(wordsOf).join("; ");
  const message = error instanceof Error ? error.message : String(error);
  // OpenSSL's messages contain one line per error.
  return message === "" ? String(code) : message.trim().replaceAll(/\s*\n\s*/g, " ");
}

function toCause(error: unknown): Cause {
  return typeof error === "object" && error !== null ? error : {};
}
