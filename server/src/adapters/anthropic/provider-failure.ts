import { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { Failure } from "../../domain/failure.ts";

/** Maximum `Retry-After` that is accepted from the provider. */
const MAX_RETRY_AFTER_S = 3600;

/** A provider's error without its message, which could quote the request. */
export class ProviderFault extends Error {
  override readonly name = "ProviderFault";
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, facts: { status?: number; type?: string; requestId?: string } = {}) {
    super(message);
    this.status = facts.status;
    this.type = facts.type;
    this.requestId = facts.requestId;
  }
}

/** A provider's failure, and whether retrying the request may succeed. */
export type ClassifiedError = { readonly failure: Failure; readonly isTemporary: boolean };

/** Translates a provider's error into the contract's errors. @param now Used if `Retry-After` is a date. */
export function classifyError(error: unknown, now: Date): ClassifiedError {
  if (error instanceof APIConnectionError) {
    return unavailable("The language-model provider cannot be reached", toFault(error), undefined, true);
  }
  if (!(error instanceof APIError)) return failed("its answer was cut off or cannot be read", toFault(error));
  const fault = toFault(error);
  const retryAfterS = readRetryAfter(error.headers, now);
  switch (toKind(error)) {
    case "refused":
      return unavailable("The language-model provider rejects the API key", fault, retryAfterS, false);
    case "limited":
      return unavailable("The language-model provider is rate-limiting this server", fault, retryAfterS, false);
    case "overloaded":
      return unavailable("The language-model provider is overloaded", fault, retryAfterS, true);
    case "broken":
      return { ...failed("it had an internal error", fault), isTemporary: true };
    case "invalid":
      return failed("it refused the request", fault);
  }
}

type Kind = "refused" | "limited" | "overloaded" | "broken" | "invalid";

const KINDS: Readonly<Record<string, Kind>> = {
  authentication_error: "refused",
  permission_error: "refused",
  billing_error: "refused",
  rate_limit_error: "limited",
  overloaded_error: "overloaded",
  timeout_error: "overloaded",
  401: "refused",
  402: "refused",
  403: "refused",
  408: "overloaded",
  429: "limited",
  529: "overloaded",
};

/** Errors in a stream have only a type; a proxy's errors have only a status. */
function toKind({ status, type }: APIError): Kind {
  const kind = KINDS[type ?? ""] ?? KINDS[status ?? ""];
  if (kind !== undefined) return kind;
  return status === undefined || status >= 500 ? "broken" : "invalid";
}

function unavailable(
  what: string,
  cause: ProviderFault,
  retryAfterS: number | undefined,
  isTemporary: boolean,
): ClassifiedError {
  const advice = retryAfterS === undefined ? "" : `: try again in ${retryAfterS} s`;
  const details = retryAfterS === undefined ? { cause } : { cause, retryAfterS };
  return { failure: new Failure("ProviderUnavailable", `${what}${advice}.`, details), isTemporary };
}

function failed(how: string, cause: ProviderFault): ClassifiedError {
  const code = cause.status === undefined ? "" : ` (HTTP ${cause.status})`;
  const message = `The language-model provider failed: ${how}${code}.`;
  return { failure: new Failure("ProviderError", message, { cause }), isTemporary: false };
}

function toFault(error: unknown): ProviderFault {
  const name = error instanceof Error ? error.name : typeof error;
  if (!(error instanceof APIError)) return new ProviderFault(name);
  const { status, type, requestID } = error as APIError & { status: number | undefined };
  // For failed connections, logs the error code, such as ECONNREFUSED.
  return new ProviderFault([name, readCode(error.cause)].filter((part) => part !== undefined).join(" "), {
    ...(status === undefined ? {} : { status }),
    ...(type === null ? {} : { type }),
    ...(typeof requestID === "string" ? { requestId: requestID } : {}),
  });
}

function readCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return "code" in cause && typeof cause.code === "string" ? cause.code : readCode(cause.cause);
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function readRetryAfter(headers: Headers | undefined, now: Date): number | undefined {
  const text = headers?.get("retry-after")?.trim() ?? "";
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  if (Number.isNaN(seconds) || seconds < 0) return undefined;
  return Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_S);
}
