import { withoutSecrets } from "./secrets.ts";

const DEEPEST = 8;

/** Members that programs check to find out why `fetch` failed. */
const CODES = ["code", "syscall"] as const;

/**
 * Copies the names, messages and codes of a `fetch` error and its causes, without secrets. The original error may
 * contain part of the response or, with a custom `fetch`, the whole request.
 */
export function cleanCause(thrown: unknown, token: string, depth = 0): Error {
  const { name, message, stack, cause, errors, ...facts } = readFacts(thrown);
  const clean = new Error(withoutSecrets(message, token));
  const deeper = (inner: unknown): Error => cleanCause(inner, token, depth + 1);
  define("name", withoutSecrets(name, token));
  define("stack", withoutSecrets(stack ?? `${name}: ${message}`, token));
  if (cause !== undefined && depth < DEEPEST) define("cause", deeper(cause));
  if (Array.isArray(errors) && depth < DEEPEST) define("errors", errors.map(deeper));
  for (const fact of CODES) {
    const value = facts[fact];
    if (typeof value === "string") Object.assign(clean, { [fact]: withoutSecrets(value, token) });
  }
  return clean;

  /** Defines a member that isn't enumerable, as in native errors. */
  function define(member: string, value: unknown): void {
    Object.defineProperty(clean, member, { value, configurable: true, writable: true });
  }
}

type Facts = {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
};

function readFacts(thrown: unknown): Facts {
  if (thrown instanceof Error) {
    const { stack, cause, errors, code, syscall } = thrown as Error & Partial<Facts>;
    return { name: thrown.name, message: thrown.message, stack, cause, errors, code, syscall };
  }
  // A cause may be any object, so copy only its text.
  const { message, code } = typeof thrown === "object" && thrown !== null ? (thrown as Partial<Facts>) : {};
  const words = [thrown, message].find((each) => typeof each === "string");
  return { name: "Error", message: words ?? "", code };
}
