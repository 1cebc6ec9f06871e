import { InvalidAnswerError } from "./remote-browser-error.ts";

type Members = {
  readonly properties: Readonly<Record<string, { readonly type?: readonly string[]; readonly format?: string }>>;
};

/**
 * Copies the members that this version supports, and converts timestamps to `Date`s.
 * @throws {InvalidAnswerError} If a timestamp is invalid.
 */
export function readMembers({ properties }: Members, wire: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = Object.entries(properties).filter(([name]) => Object.hasOwn(wire, name));
  return Object.fromEntries(
    present.map(([name, { format }]) => {
      const value = wire[name];
      return [name, format === "date-time" && typeof value === "string" ? readTime(name, value) : value];
    }),
  );
}

function readTime(name: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidAnswerError(`A browser's ${name} is not a valid timestamp.`);
  return time;
}
