import { readFileSync } from "node:fs";
import { RULES } from "../../conformance/src/registry/registry.ts";
import { type Rule, layerOf } from "../../conformance/src/registry/rule.ts";
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
  const areas = Map.groupBy(rules, ({ id }) => id.replace(/-\d+$/, ""));
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

/** Generates the tables in `docs/conformance.md`. The rest of the page is written by hand. */
const page = readFileSync(new URL("../../docs/conformance.md", import.meta.url), "utf8");
writeOrCheck("docs/conformance.md", withRules(page, RULES));
