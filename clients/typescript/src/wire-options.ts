import { unknownName } from "./unknown-name.ts";

/** The options' names in the contract, as generated. */
type Table = { readonly [name: string]: Row };
type Row = {
  readonly wire: string;
  readonly members?: Table;
  readonly kinds?: Readonly<Record<string, number>>;
};

/**
 * Converts options to the contract's spelling.
 * @throws {TypeError} If JSON can't represent a number or date, or if an option is unknown: the service would ignore
 * it.
 */
export function toWire(table: Table, options: object): Record<string, unknown> {
  return writeMembers(table, options, "");
}

function writeMembers(table: Table, options: object, path: string): Record<string, unknown> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    given.map(([name, value]: [string, unknown]) => {
      const row = Object.hasOwn(table, name) ? table[name] : undefined;
      if (row === undefined) throw unknownName("option", name, Object.keys(table), path);
      return [row.wire, writeValue(row, value, `${path}${name}`)];
    }),
  );
}

function writeValue({ members, kinds }: Row, value: unknown, path: string): unknown {
  if (members !== undefined && typeof value === "object" && value !== null) {
    return writeMembers(members, value, `${path}.`);
  }
  // JSON turns NaN and Infinity into null, which means the default.
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`\`${path}\` is ${value}: it must be a finite number.`);
  }
  if (value instanceof Date && Number.isNaN(value.getTime())) {
    throw new TypeError(`\`${path}\` is an invalid date.`);
  }
  if (kinds === undefined || typeof value !== "string") return value;
  const kind = Object.hasOwn(kinds, value) ? kinds[value] : undefined;
  if (kind === undefined) {
    throw new TypeError(`\`${path}\` is ${JSON.stringify(value)}: it must be one of ${Object.keys(kinds).join(", ")}.`);
  }
  return kind;
}
