import { type Contract, resolve } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, toSnakeCase } from "../described-schema.ts";
import { wrap } from "../prose.ts";

/** The folder of generated sources, relative to the language's folder. */
export const SOURCES = "src/generated/java/";

/** The client's package. */
export const PACKAGE = "io.github.remotebrowser";

/** The package of the contract types that users see. */
export const CONTRACT_PACKAGE = `${PACKAGE}.contract`;

export const CONTRACT_FOLDER = `${SOURCES}${CONTRACT_PACKAGE.replaceAll(".", "/")}/`;

const WIDTH = 110;

/** Renders a source file of the contract's package. */
export function toSource(imports: readonly string[], body: string): string {
  const lines = imports.toSorted().map((name) => `import ${name};\n`);
  return [
    "// Written by scripts/generate-clients.ts from the contract: change that.\n",
    `package ${CONTRACT_PACKAGE};\n`,
    ...(lines.length === 0 ? [] : [lines.join("")]),
    body,
  ].join("\n");
}

/** Lists a schema's members in the contract's order, with references resolved. */
export function listMembers(contract: Contract, schema: DescribedSchema): [string, DescribedSchema][] {
  const members = Object.entries(schema.properties ?? {});
  return members.map(([name, member]) => [name, { ...resolve<DescribedSchema>(contract, member), ...member }]);
}

/** Converts the contract's Markdown to Javadoc. @param tags Lines such as `@param NAME TEXT`, in Markdown. */
export function toJavadoc(markdown: string, indent = "", tags: readonly string[] = []): string {
  const [first = "", ...more] = markdown.trim().split(/\n\s*\n/);
  const paragraphs = [first, ...more.map((text) => `<p>${text}`)].map(toHtml);
  const blocks = tags.length === 0 ? paragraphs : [...paragraphs, tags.map(toHtml).join("\n")];
  const lines = wrap(blocks.join("\n\n"), WIDTH - indent.length - 3);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** Converts `NoUnits` to `NO_UNITS`. */
export function toConstant(name: string): string {
  return toSnakeCase(name).toUpperCase();
}

/** Renders a `toString` method that prints only the given members. @returns The method, after a blank line. */
export function renderToString(type: string, members: readonly string[]): string {
  const printed = members.map((member) => `${member}=" + ${member} + "`);
  return `
  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "${type}[${printed.join(", ")}]";
  }
`;
}

/** Converts one paragraph, in which text between backticks is code. */
function toHtml(markdown: string): string {
  const line = markdown.replaceAll(/\s+/g, " ").trim();
  return line
    .split("`")
    .map((text, place) => (place % 2 === 1 ? `{@code ${text}}` : toPlain(text)))
    .join("")
    .replaceAll("*/", "*&#47;");
}

function toPlain(text: string): string {
  const [, start = "", rest = ""] = /^(@|<p>)?(.*)$/s.exec(text) ?? [];
  const escaped = rest
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", "&#64;");
  return `${start}${escaped.replaceAll(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")}`;
}
