import { withoutIds } from "./secrets.ts";

// What Node's `console.log` and `inspect` look for.
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * Has a log show an object without ids and passwords. Its members stay as they are, in JSON too.
 * @param hidden The members that are secrets as a whole.
 */
export function printedWithoutSecrets<T extends object>(object: T, hidden: readonly (keyof T & string)[]): T {
  return Object.defineProperty(object, INSPECT, {
    value: () => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, toShown(name, value)])),
  });

  function toShown(name: string, value: unknown): unknown {
    if (typeof value !== "string") return value;
    return (hidden as readonly string[]).includes(name) ? "…" : withoutIds(value);
  }
}
