import { isDeepStrictEqual } from "node:util";

/** The JSON Schema keywords that affect spelling. */
export type SpelledSchema = {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly [keyword: string]: unknown;
  readonly oneOf?: readonly SpelledSchema[];
  readonly anyOf?: readonly SpelledSchema[];
  readonly allOf?: readonly SpelledSchema[];
};

type Property = SpelledSchema & { readonly "x-alias"?: string };

type Resolve = (ref: string) => SpelledSchema;

/** A member that was sent in both spellings, with different values. */
type Disagreement = {
  /** Uses the contract's spelling, while `path` uses the sender's spelling. */
  readonly pointer: string;
  readonly path: string;
  readonly message: string;
};

type Spelled = {
  /** The value with every member in the contract's spelling. */
  readonly value: unknown;
  /** Converts a JSON Pointer from the contract's spelling to the sender's. */
  readonly toSender: (pointer: string) => string;
  readonly disagreements: readonly Disagreement[];
};

/** Converts a request's members to the contract's spelling: clients can also send a property under its `x-alias`. */
export function toContractSpelling(sent: unknown, root: SpelledSchema, resolve: Resolve): Spelled {
  /** Maps pointers in the contract's spelling to the sender's pointers, where the two differ. */
  const senders = new Map<string, string>();
  const disagreements: Disagreement[] = [];

  function respell(value: unknown, schema: SpelledSchema, pointer: string, senderPointer: string): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const properties = readProperties(schema, resolve);
    const contractNames = new Map<string, string>();
    for (const [name, { "x-alias": alias }] of properties) if (alias !== undefined) contractNames.set(alias, name);
    // Without a prototype, `__proto__` is an ordinary member.
    const spelled: Record<string, unknown> = Object.create(null);
    for (const [sentName, sentValue] of Object.entries(value)) {
      const name = contractNames.get(sentName) ?? sentName;
      const path = `${pointer}/${escape(name)}`;
      const senderPath = `${senderPointer}/${escape(sentName)}`;
      const property = properties.get(name);
      const member = property ? respell(sentValue, property, path, senderPath) : sentValue;
      const other = spelled[name];
      // Null counts as omitted, so the other spelling provides the value.
      if (name in spelled && member === null) continue;
      if (name in spelled && other !== null && !isSame(other, member)) {
        const otherName = sentName === name ? (property?.["x-alias"] ?? name) : name;
        const message = `${sentName} and ${otherName} are the same option, and their values differ: send one of them.`;
        disagreements.push({ pointer: path, path: senderPath, message });
      }
      spelled[name] = member;
      if (senderPath === path) senders.delete(path);
      else senders.set(path, senderPath);
    }
    return spelled;
  }

  const value = respell(sent, root, "", "");
  return { value, toSender: (pointer) => toSender(pointer, senders), disagreements };
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    return isDeepStrictEqual(one, other);
  } catch (error) {
    // The values are nested so deeply that comparing them overflows the stack, so at least one is invalid.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns a schema's properties, including the properties of its references and alternatives. */
function readProperties(schema: SpelledSchema, resolve: Resolve): Map<string, Property> {
  const found = new Map(Object.entries(schema.properties ?? {}));
  const parts = [
    ...(schema.$ref === undefined ? [] : [resolve(schema.$ref)]),
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
  ];
  for (const part of parts) for (const [name, property] of readProperties(part, resolve)) found.set(name, property);
  return found;
}

function toSender(pointer: string, senders: ReadonlyMap<string, string>): string {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const sender = senders.get(pointer.slice(0, end));
    if (sender !== undefined) return sender + pointer.slice(end);
  }
  return pointer;
}

// RFC 6901 section 3.
function escape(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
