import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import type { Form } from "../../kit/form.ts";

/** An option of Open, as a form asks for it. */
export type OptionField = {
  /** As the contract spells it, with those around it: `Proxy.Host`. */
  readonly name: string;
  /** JSON Pointer to it in the body. */
  readonly pointer: string;
  /** The contract's words for it: the first sentence with those that tell the default, and the paragraphs of the rest. */
  readonly hint: string;
  readonly more: readonly string[];
} & (
  | { readonly kind: "text"; readonly maxLength: number | undefined; readonly isSecret: boolean }
  | { readonly kind: "number" }
  | { readonly kind: "choice"; readonly choices: readonly { readonly value: string; readonly name: string }[] }
  | { readonly kind: "lines" }
  | { readonly kind: "group"; readonly fields: readonly OptionField[] }
);

/** As much of a schema as fields depend on. */
type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
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

/** What people reach for first stands first; an option that is not named here stands behind. */
const ORDER = ["Label", "Browser", "Headless", "KeepOpen", "Stealth", "Proxy", "Args", "IgnoredDefaultArgs"];

/** Every option that the contract has: one that it gains is asked for without a line of code. */
export const OPEN_FIELDS: readonly OptionField[] = toFields(find("#/components/schemas/OpenOptions"), "", "").toSorted(
  (one, other) => rank(one) - rank(other),
);

/** The body of an Open that says what the form says; what was left empty is left out. */
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
      const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
      return lines.length === 0 ? undefined : lines;
    }
    case "number":
    case "choice":
      return text.trim() === "" ? undefined : toJson(text.trim());
    case "text":
      return text === "" ? undefined : text;
  }
}

/** What is no number, true or false stays as it was typed, for the contract to refuse. */
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
  const common = { name, pointer, ...toProse(property.description ?? schema.description ?? "") };
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
  return { ...common, kind: "text", maxLength: schema.maxLength, isSecret: /password/i.test(name) };
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

function toProse(description: string): Pick<OptionField, "hint" | "more"> {
  const paragraphs = description
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").replaceAll("**", ""));
  const [first = "", ...others] = paragraphs;
  const [opening = "", ...rest] = toSentences(first);
  const following = [rest, ...others.map(toSentences)];
  const hint = [opening, ...following.flat().filter(tellsDefault)].join(" ");
  const more = following.map((sentences) => sentences.filter((sentence) => !tellsDefault(sentence)).join(" "));
  return { hint, more: more.filter((paragraph) => paragraph !== "") };
}

function toSentences(paragraph: string): string[] {
  return paragraph.split(/(?<=\.) (?=[A-Z`])/);
}

/** What an empty field comes to is said so throughout the contract. */
function tellsDefault(sentence: string): boolean {
  return sentence.startsWith("Left out");
}

function rank({ name }: OptionField): number {
  const at = ORDER.indexOf(name);
  return at === -1 ? ORDER.length : at;
}
