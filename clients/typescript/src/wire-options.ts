import { OPEN_OPTIONS, type OpenOptions } from "./generated/options.ts";
import type { BodyOf } from "./transport.ts";
import { unknownName } from "./unknown-name.ts";

type Table = { readonly [name: string]: Row };
type Row = {
  readonly wire: string;
  readonly members?: Table;
  readonly kinds?: Readonly<Record<string, number>>;
};

/**
 * Writes options as the contract spells them.
 * @throws {TypeError} For an option that does not exist, which the service would overlook, and a number that JSON lacks.
 */
export function toWire(options: OpenOptions): NonNullable<BodyOf<"openBrowser">> {
  return writeMembers(OPEN_OPTIONS, options, "");
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
  // JSON has neither, and would say null: the default.
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`\`${path}\` is ${value}: it is to be a finite number.`);
  }
  if (kinds === undefined || typeof value !== "string") return value;
  const kind = Object.hasOwn(kinds, value) ? kinds[value] : undefined;
  if (kind === undefined) {
    throw new TypeError(`\`${path}\` is ${JSON.stringify(value)}: it is to be ${Object.keys(kinds).join(", ")}.`);
  }
  return kind;
}
