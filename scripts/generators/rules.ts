import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Rule, areaOf, layerOf } from "../../conformance/src/rules/rule.ts";
import { renderTable, replaceGenerated } from "./markdown.ts";
import { writeOrCheck } from "./write-or-check.ts";

const BEGIN = "<!-- Generated from the suite's rules by `npm run generate`. -->";

/** Renders a section with a table of rules for each area. */
function renderRules(rules: readonly Rule[]): string {
  const head = ["Rule", "Level", "Capability", "The contract says", "Tested by"];
  const areas = [...Map.groupBy(rules, areaOf)];
  return areas.map(([area, each]) => `### ${area}\n\n${renderTable(head, each.map(toCells))}`).join("\n");
}

function toCells(rule: Rule): string[] {
  const { id, level, capability, sentence } = rule;
  return [`\`${id}\``, level, capability, sentence.replaceAll(/\s+/g, " "), describeMeans(rule)];
}

/** Describes how a rule is tested and what the test requires. */
function describeMeans(rule: Rule): string {
  if (rule.kind === "exchange") return "every response in the run";
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

// Generates the suite's lists of rules and mutants, and the rule tables in docs/conformance.md.
const root = new URL("../..", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** The folders of rules and mutants, in the order in which reports list them. */
const FOLDERS = "protocol ai open pages keys close records connect desktop account random".split(" ");

/** Lists the files in a folder's subfolders, each with the name of the list that it exports. */
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

${rules.map(({ name, file }) => `import { ${name} } from "../../rules/${file}";\n`).join("")}import type { Rule } from "../../rules/rule.ts";

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

/** Converts `open/keep-open.ts` to `open: keep open`. */
function toHeading(file: string): string {
  return file.replace(".ts", "").replace("/", ": ").replaceAll("-", " ");
}

// Imported late because the registry imports the list that this script has just written.
const { RULES } = await import("../../conformance/src/registry/registry.ts");
const page = "docs/conformance.md";
writeOrCheck(page, replaceGenerated(page, read(page), BEGIN, renderRules(RULES)));
