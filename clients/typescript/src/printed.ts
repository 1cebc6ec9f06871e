import { withoutIds } from "./secrets.ts";

/** The method that Node's `console.log` and `inspect` call. */
export const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * Hides ids and passwords when an object is printed. The object's members and JSON don't change.
 * @param hidden Members whose whole value is secret.
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
