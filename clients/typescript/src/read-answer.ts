import { OPERATIONS, type OperationId } from "./generated/operations.ts";
import { typeOf } from "./json-type.ts";
import { InvalidAnswerError } from "./remote-browser-error.ts";
import { withoutSecrets } from "./secrets.ts";
import { type Answer, type AnswerOf, isMediaTypes } from "./transport.ts";

/** A generated response schema. */
type Shape = {
  readonly type?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
};

/**
 * Reads a successful response.
 * @throws {InvalidAnswerError} If the body isn't JSON or violates the contract. The message never quotes the body.
 */
export function readAnswer<Id extends OperationId>(
  operation: Id,
  { data = "", response }: Answer,
  token: string,
): AnswerOf<Id> {
  const { answer } = OPERATIONS[operation];
  const type = response.headers.get("Content-Type") ?? "no type";
  const kind = withoutSecrets(type, token);
  if (typeof data !== "string" || isMediaTypes(answer)) {
    const isDeclared = isMediaTypes(answer) && answer.some((each) => type.startsWith(each));
    if (isDeclared && typeof data !== "string") return new Uint8Array(data);
    throw new InvalidAnswerError(`The response to ${operation} doesn't match the contract: it is ${kind}.`);
  }
  const body = parse(operation, data, kind);
  const fault = findFault(answer, body, "");
  if (fault !== undefined)
    throw new InvalidAnswerError(`The response to ${operation} doesn't match the contract: ${fault}.`);
  return body as AnswerOf<Id>;
}

function parse(operation: string, text: string, kind: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may contain an address or a password.
    throw new InvalidAnswerError(`The response to ${operation} isn't JSON: ${text.length} characters of ${kind}.`);
  }
}

/** Describes the first mismatch. Returns undefined if the value matches. */
function findFault(
  { type, required = [], properties = {}, items }: Shape,
  value: unknown,
  path: string,
): string | undefined {
  const actual = typeOf(value);
  if (type !== undefined && !type.includes(actual) && !(type.includes("number") && actual === "integer")) {
    return `${path === "" ? "it" : path} is ${actual}, not ${type.join(" or ")}`;
  }
  if (actual === "object") {
    const members = value as Record<string, unknown>;
    const missing = required.find((name) => !Object.hasOwn(members, name));
    if (missing !== undefined) return `${path}/${missing} is missing`;
    const known = Object.entries(properties).filter(([name]) => Object.hasOwn(members, name));
    return firstOf(known, ([name, shape]) => findFault(shape, members[name], `${path}/${name}`));
  }
  if (items === undefined || !Array.isArray(value)) return undefined;
  return firstOf([...value.entries()], ([index, each]) => findFault(items, each, `${path}/${index}`));
}

function firstOf<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
