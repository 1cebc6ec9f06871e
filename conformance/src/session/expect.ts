import { isDeepStrictEqual } from "node:util";
import { type FailureName, failureStatus } from "@remote-browser/contract/operations";
import type { Exchange } from "../target/exchange.ts";
import { toObject } from "../target/json.ts";
import { Violation } from "../target/violation.ts";

/** Members of an error body. Each may have any type, because the server may be wrong. */
type ErrorBody = {
  readonly status: unknown;
  readonly name: unknown;
  readonly message: unknown;
  readonly requestId: unknown;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
};

/** @throws {Violation} Unless the condition holds. Both texts complete a sentence: "expected …, but saw …". */
export function expectThat(holds: boolean, expected: string, seen: string): asserts holds {
  if (!holds) throw new Violation({ expected, seen });
}

/** @throws {Violation} Unless the values are equal. @param what The value, such as "the label in the list". */
export function expectEqual(what: string, seen: unknown, expected: unknown): void {
  if (isDeepStrictEqual(seen, expected)) return;
  throw new Violation({ expected: `${what} to be ${show(expected)}`, seen: show(seen) });
}

/** @returns The response body. @throws {Violation} Unless the status is 200. */
export function expectSuccess({ received }: Pick<Exchange, "received">): Record<string, unknown> {
  expectThat(received.status === 200, "200", describe(received));
  return toObject(received.json);
}

/**
 * @param where JSON Pointers that the `errors` of a `BadRequest` must include.
 * @returns The error body.
 * @throws {Violation} If the response isn't this error.
 */
export function expectRefusal(
  { received }: Pick<Exchange, "received">,
  name: FailureName,
  ...where: readonly string[]
): ErrorBody {
  const body = toErrorBody(received.json);
  const status = failureStatus[name];
  expectThat(received.status === status && body.name === name, `${status} ${name}`, describe(received));
  const paths = body.errors.map(({ path }) => path);
  for (const path of where) {
    expectThat(paths.includes(path), `${name} whose errors name ${JSON.stringify(path)}`, `errors for ${show(paths)}`);
  }
  return body;
}

/** Formats a response as `404 BrowserNotFound`, or only the status if the body has no name. */
export function describe({ status, json, text }: Exchange["received"]): string {
  const { name } = toErrorBody(json);
  if (typeof name === "string") return `${status} ${name}`;
  if (json === undefined) return `${status} with a body that is not JSON (${text.length} characters)`;
  return status >= 400 ? `${status} without an error name` : String(status);
}

export function toErrorBody(json: unknown): ErrorBody {
  const { status, name, message, requestId, errors } = toObject(json);
  return { status, name, message, requestId, errors: Array.isArray(errors) ? errors.filter(isProblem) : [] };
}

function isProblem(value: unknown): value is { path: string; message: string } {
  return typeof toObject(value)["path"] === "string";
}

/** Formats a value as JSON, truncated to 200 characters. Undefined becomes `nothing`. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
