import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Rule, areaOf, layerOf } from "../../conformance/src/registry/rule.ts";
import { writeOrCheck } from "./write-or-check.ts";

const BEGIN = "<!-- Generated from the suite's rules by `npm run generate`. -->";
const END = "<!-- End of what is generated. -->";

/**
 * Renders the page about conformance with updated tables of rules.
 * @throws {Error} When the page lacks the markers of the tables.
 */
function withRules(page: string, rules: readonly Rule[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/conformance.md must have the lines\n${BEGIN}\n${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${renderRules(rules)}${page.slice(end)}`;
}

function renderRules(rules: readonly Rule[]): string {
  const areas = Map.groupBy(rules, areaOf);
  return [...areas].map(([area, each]) => `### ${area}\n\n${renderTable(each)}\n`).join("");
}

function renderTable(rules: readonly Rule[]): string {
  const rows = rules.map((rule) => [
    `\`${rule.id}\``,
    rule.level,
    rule.capability,
    rule.sentence.replaceAll(/\s+/g, " ").replaceAll("|", "\\|"),
    describeMeans(rule),
  ]);
  const head = ["Rule", "Level", "Capability", "The contract says", "Tested by"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** The kind of test for a rule, and what it needs. */
function describeMeans(rule: Rule): string {
  if (rule.kind === "exchange") return "every answer of the run";
  if (rule.kind === "fuzz") return `Schemathesis, \`${rule.fuzzCheck}\``;
  const { opens, waitsS = 0, needs = [], isLong = false, since } = rule;
  const parts = [
    layerOf(rule) === "model" ? "random sequences" : "a scenario",
    ...(opens > 0 ? [opens === 1 ? "1 browser" : `${opens} browsers`] : []),
    ...(waitsS > 0 ? [`waits ${waitsS} s`] : []),
    ...(isLong ? ["`full` only"] : []),
    ...(since === undefined ? [] : [`contract ${since}`]),
    ...needs.map((account) => `\`--token-${account}\``),
  ];
  return parts.join(", ");
}

/**
 * Generates the suite's lists of all rules and of all mutants, and from the rules the tables in `docs/conformance.md`.
 * The rest of the page is written by hand.
 */
const root = new URL("../..", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** The folders of rules and of mutants, in the order of the reports. */
const FOLDERS = "protocol ai open pages keys close records connect desktop account random".split(" ");

/** The files of a folder's folders, each with the name of the list that it exports. */
function findLists(folder: string, suffix: string): readonly { readonly file: string; readonly name: string }[] {
  const placeOf = (file: string): number => FOLDERS.indexOf(dirname(file));
  const files = globSync("*/*.ts", { cwd: new URL(folder, root) }).toSorted(
    (one, other) => placeOf(one) - placeOf(other) || one.localeCompare(other),
  );
  return files.map((file) => {
    const [, name] = new RegExp(`^export const (\\w+_${suffix})\\b`, "m").exec(read(`${folder}/${file}`)) ?? [];
    if (name === undefined) throw new Error(`${file} must export a list with a name that ends in _${suffix}.`);
    return { file, name };
  });
}

const rules = findLists("conformance/src/rules", "RULES");
writeOrCheck(
  "conformance/src/registry/generated/rule-lists.ts",
  `// Generated from the files in conformance/src/rules by \`npm run generate\`.

${rules.map(({ name, file }) => `import { ${name} } from "../../rules/${file}";\n`).join("")}import type { Rule } from "../rule.ts";

/** The rules of each file. */
export const RULE_LISTS: readonly (readonly Rule[])[] = [${rules.map(({ name }) => name).join(", ")}];
`,
);

const mutants = findLists("conformance/proof/mutants", "MUTANTS");
writeOrCheck(
  "conformance/proof/generated/mutant-lists.ts",
  `// Generated from the files in conformance/proof/mutants by \`npm run generate\`.

${mutants.map(({ name, file }) => `import { ${name} } from "../mutants/${file}";\n`).join("")}import type { Mutant } from "../mutant.ts";

/** The mutants of each file, by the heading of their part of the matrix. */
export const MUTANT_LISTS: Readonly<Record<string, readonly Mutant[]>> = {
${mutants.map(({ name, file }) => `  ${JSON.stringify(toHeading(file))}: ${name},\n`).join("")}};
`,
);

/** `open: keep open` of `open/keep-open.ts`. */
function toHeading(file: string): string {
  return file.replace(".ts", "").replace("/", ": ").replaceAll("-", " ");
}

// The registry imports the list.
const { RULES } = await import("../../conformance/src/registry/registry.ts");
writeOrCheck("docs/conformance.md", withRules(read("docs/conformance.md"), RULES));
