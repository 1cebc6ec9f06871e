import { failureStatus, type FailureName } from "@remote-browser/contract/operations";
import { Failure } from "./failure.ts";

/** An object whose only member is one of these tags encodes a value that JSON can't represent. */
const [DATE, URL_, BYTES, UNDEFINED, FAILURE] = ["$date", "$url", "$bytes", "$undefined", "$failure"] as const;

/**
 * Encodes a value as JSON, to be decoded with `fromWire`.
 * @param value Plain objects and arrays of strings, numbers, booleans, `Date`s, `URL`s, bytes, failures and undefined.
 * Undefined members are omitted, and failures lose their cause.
 * @throws {TypeError} If `value` contains anything else, because decoding would change it.
 */
export function toWire(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value === undefined) return { [UNDEFINED]: true };
  if (Array.isArray(value)) return value.map(toWire);
  if (value instanceof Date) return { [DATE]: value.toISOString() };
  if (value instanceof URL) return { [URL_]: value.href };
  if (value instanceof Uint8Array)
    return { [BYTES]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
  if (value instanceof Failure) {
    const { failure: name, message, retryAfterS, errors } = value;
    return { [FAILURE]: toWire({ name, message, retryAfterS, errors }) };
  }
  if (isPlainObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    if (members.some(([name]) => name.startsWith("$"))) throw new TypeError("A member's name can't start with $.");
    return Object.fromEntries(members.map(([name, member]) => [name, toWire(member)]));
  }
  throw new TypeError(`This ${typeof value} can't be sent to another process.`);
}

/** @throws {TypeError} If the JSON wasn't created by `toWire`. */
export function fromWire(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fromWire);
  if (typeof json !== "object" || json === null) return json;
  const [[name, member] = ["", undefined], ...others] = Object.entries(json);
  if (others.length === 0 && name.startsWith("$")) return readSpecial(name, member);
  return Object.fromEntries(Object.entries(json).map(([each, value]) => [each, fromWire(value)]));
}

function readSpecial(name: string, value: unknown): unknown {
  if (name === UNDEFINED) return undefined;
  if (name === FAILURE) return readFailure(fromWire(value));
  if (typeof value !== "string") throw new TypeError(`${name} must be a string.`);
  if (name === URL_) return new URL(value);
  if (name === BYTES) return new Uint8Array(Buffer.from(value, "base64"));
  if (name !== DATE) throw new TypeError("This tag is unknown.");
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new TypeError(`${DATE} must be a date.`);
  return date;
}

function readFailure(value: unknown): Failure {
  const { name, message, retryAfterS, errors } = value as Failure;
  if (typeof name !== "string" || typeof message !== "string") throw new TypeError(`${FAILURE} is incomplete.`);
  return new Failure(isFailureName(name) ? name : "Unknown", message, {
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(errors !== undefined && { errors }),
  });
}

/** Later versions may have additional names. */
function isFailureName(name: string): name is FailureName {
  return Object.hasOwn(failureStatus, name);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
