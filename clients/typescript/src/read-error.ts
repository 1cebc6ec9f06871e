import { ApiError } from "./api-error.ts";
import { ERROR_CLASSES } from "./generated/error-classes.ts";
import type { BadRequestError } from "./generated/errors.ts";
import { withoutSecrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import type { Answer } from "./transport.ts";

const SHOWN_CHARACTERS = 200;

/** An error response and its origin. */
export type Refusal = {
  readonly error: ApiError;
  /** Whether the response is from the service rather than from a gateway. Only the service's errors have a name. */
  readonly isOurs: boolean;
};

/**
 * Converts an unsuccessful response to an error.
 * @param settings The token to hide, and the URL for resolving a relative redirect.
 */
export function readError({ error, response }: Answer, { token, url }: Pick<Settings, "token" | "url">): Refusal {
  const { status, headers } = response;
  const retryAfter = readSeconds(headers.get("Retry-After"));
  const ownId = withoutSecrets(headers.get("X-Request-Id") ?? "", token);
  if (isContractual(error)) {
    const Class = ERROR_CLASSES.get(error.name) ?? ApiError;
    const [name, message, requestId] = [error.name, error["message"], error["requestId"]].map((text) =>
      typeof text === "string" ? withoutSecrets(text, token) : "",
    ) as [string, string, string];
    const members = { ...error, errors: readProblems(error["errors"], token) };
    const facts = { status, name, message, requestId: requestId === "" ? ownId : requestId, retryAfter, members };
    return { error: new Class(facts), isOurs: true };
  }
  const message = isRedirect(response)
    ? describeRedirect(headers.get("Location"), url)
    : describe(withoutSecrets(typeof error === "string" ? error : toJson(error), token));
  return {
    error: new ApiError({ status, name: "", message, requestId: ownId, retryAfter, members: {} }),
    isOurs: false,
  };
}

/** Returns the problems in a request, without items that don't match the contract. */
function readProblems(errors: unknown, token: string): readonly Problem[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .filter(isProblem)
    .map(({ path, message }) => ({ path: withoutSecrets(path, token), message: withoutSecrets(message, token) }));
}

type Problem = BadRequestError["errors"][number];

function isProblem(value: unknown): value is Problem {
  if (typeof value !== "object" || value === null) return false;
  const { path, message } = value as Record<string, unknown>;
  return typeof path === "string" && typeof message === "string";
}

type ContractualBody = Readonly<Record<string, unknown>> & { readonly name: string };

/** A response with a name is from the service, even if other members are missing. */
function isContractual(body: unknown): body is ContractualBody {
  if (typeof body !== "object" || body === null) return false;
  const { name } = body as Record<string, unknown>;
  return typeof name === "string" && name !== "";
}

/** Whether the response is a redirect. Web browsers hide a redirect's status and location. */
function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

function describeRedirect(location: string | null, url: string): string {
  const target = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined;
  const where = target !== undefined && /^https?:$/.test(target.protocol) ? `to ${target.origin}` : "elsewhere";
  return `The response redirects ${where}, and redirects are not followed: set \`url\` to the service's own URL.`;
}

function describe(body: string): string {
  const text = body.replaceAll(/\s+/g, " ").trim();
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return `The response isn't from the service and may be from a gateway: ${shown === "" ? "it is empty" : shown}`;
}

function toJson(body: unknown): string {
  try {
    return body === undefined ? "" : JSON.stringify(body);
  } catch {
    // JSON.parse accepts deeper nesting than JSON.stringify.
    return "JSON that is nested too deeply";
  }
}

/** Reads a whole number of seconds. Dates are ignored, because only gateways send them. */
function readSeconds(header: string | null): number | null {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
