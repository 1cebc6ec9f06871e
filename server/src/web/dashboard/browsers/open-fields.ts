import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import type { Form } from "../../kit/form.ts";

/** A form field for an option of Open. */
export type OptionField = {
  /** The name in the contract, including its group: `Proxy.Host`. */
  readonly name: string;
  /** JSON Pointer to the option in the request body. */
  readonly pointer: string;
  /** The contract's `x-hint`; `more` contains the rest of the description. */
  readonly hint: string;
  readonly more: readonly string[];
} & (
  | { readonly kind: "text"; readonly maxLength: number | undefined; readonly isSecret: boolean }
  | { readonly kind: "number" }
  | { readonly kind: "choice"; readonly choices: readonly { readonly value: string; readonly name: string }[] }
  | { readonly kind: "lines" }
  | { readonly kind: "group"; readonly fields: readonly OptionField[] }
);

/** The schema members that fields depend on. */
type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly "x-hint"?: readonly string[];
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly "x-enum-varnames"?: readonly string[];
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
};

const YES_OR_NO = [
  { value: "true", name: "Yes" },
  { value: "false", name: "No" },
];

/** The order of the fields, starting with the most used. Options that aren't listed come last. */
const ORDER = [
  "Label",
  "Tags",
  "Browser",
  "Headless",
  "KeepOpen",
  "Lifetime",
  "WaitForPlace",
  "Screen",
  "Language",
  "TimeZone",
  "Stealth",
  "Proxy",
  "Args",
  "IgnoredDefaultArgs",
];

/** All options in the contract. New options become fields automatically. */
export const OPEN_FIELDS: readonly OptionField[] = toFields(find("#/components/schemas/OpenOptions"), "", "").toSorted(
  (one, other) => rank(one) - rank(other),
);

/** Converts the form to the body of an Open request. Empty fields are omitted. */
export function toBody(fields: readonly OptionField[], form: Form): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = toValue(field, form);
    if (value !== undefined) body[field.pointer.slice(field.pointer.lastIndexOf("/") + 1)] = value;
  }
  return body;
}

function toValue(field: OptionField, form: Form): unknown {
  const text = form.text(field.name);
  switch (field.kind) {
    case "group": {
      const group = toBody(field.fields, form);
      return Object.keys(group).length === 0 ? undefined : group;
    }
    case "lines": {
      const lines = text
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== "");
      return lines.length === 0 ? undefined : lines;
    }
    case "number":
    case "choice":
      return text.trim() === "" ? undefined : toJson(text.trim());
    case "text":
      return text === "" ? undefined : text;
  }
}

/** Any other text remains a string, which validation then rejects. */
function toJson(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function toFields(schema: Schema, pointer: string, prefix: string): OptionField[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    toField(property, `${pointer}/${name}`, prefix + name),
  );
}

function toField(property: Schema, pointer: string, name: string): OptionField {
  const schema = withoutNull(property);
  const common = { name, pointer, ...toProse(property) };
  if (schema.properties !== undefined)
    return { ...common, kind: "group", fields: toFields(schema, pointer, `${name}.`) };
  if (schema.enum !== undefined) {
    const names = schema["x-enum-varnames"] ?? [];
    const choices = schema.enum.map((value, index) => ({ value: String(value), name: names[index] ?? String(value) }));
    return { ...common, kind: "choice", choices };
  }
  const types = [schema.type ?? "string"].flat();
  if (types.includes("boolean")) return { ...common, kind: "choice", choices: YES_OR_NO };
  if (types.includes("number") || types.includes("integer")) return { ...common, kind: "number" };
  if (types.includes("array")) return { ...common, kind: "lines" };
  return { ...common, kind: "text", maxLength: schema.maxLength, isSecret: schema.format === "password" };
}

function withoutNull(schema: Schema): Schema {
  if (schema.$ref !== undefined) return find(schema.$ref);
  const branch = schema.anyOf?.find(({ type }) => type !== "null");
  return branch === undefined ? schema : withoutNull(branch);
}

function find(ref: string): Schema {
  const schemas: Readonly<Record<string, Schema>> = contract.components.schemas;
  const schema = schemas[ref.slice("#/components/schemas/".length)];
  if (schema === undefined) throw new Error(`The contract has no ${ref}.`);
  return schema;
}

/** Returns the hint, and the paragraphs of the description without the hint. */
function toProse({ description = "", "x-hint": sentences = [] }: Schema): Pick<OptionField, "hint" | "more"> {
  const paragraphs = description.trim().split(/\n\s*\n/);
  const more = paragraphs.map((paragraph) =>
    sentences.reduce((text, sentence) => text.replace(sentence, ""), toLine(paragraph)),
  );
  return { hint: toPlain(sentences.join(" ")), more: more.map(toPlain).filter((paragraph) => paragraph !== "") };
}

function toLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function toPlain(text: string): string {
  return toLine(text.replaceAll("**", ""));
}

function rank({ name }: OptionField): number {
  const at = ORDER.indexOf(name);
  return at === -1 ? ORDER.length : at;
}
