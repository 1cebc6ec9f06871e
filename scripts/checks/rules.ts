import { readFileSync } from "node:fs";
import { at, type Contract, listOperations } from "../../openapi/scripts/contract.ts";
import { RULES } from "../../conformance/src/registry/registry.ts";
import type { Rule } from "../../conformance/src/rules/rule.ts";
import { UNTESTABLE } from "../../conformance/src/registry/untestable.ts";
import { constrainedInAnswers, constrainedInRequests } from "./constraints.ts";

export type Sources = {
  readonly contract: Contract;
  /** The text of DECISIONS.md. */
  readonly decisions: string;
  readonly rules: readonly Rule[];
  /** Responses and constraints that no rule can test, each with a reason. */
  readonly beyondReach: Readonly<Record<string, string>>;
};

/** The coverage entry of rules that validate all members of every response body. */
const EVERY_ANSWER = "every answer";

/** Returns a line for each mismatch between the rules and the contract, or an empty list. */
export function findGaps(sources: Sources): readonly string[] {
  return [...findBadRules(sources), ...findUncovered(sources), ...findUndecided(sources)];
}

function findBadRules({ contract, rules }: Sources): readonly string[] {
  const ids = rules.map(({ id }) => id);
  const levels = new Map<string, Rule>();
  for (const rule of rules)
    levels.set(`${rule.at} ${rule.sentence}`, levels.get(`${rule.at} ${rule.sentence}`) ?? rule);
  return rules.flatMap(({ id, at: place, sentence, level }, index) => [
    ...(/^RBS-[A-Z]+-\d\d$/.test(id) ? [] : [`${id}: an id must have the form RBS-AREA-NN.`]),
    ...(ids.indexOf(id) === index ? [] : [`Two rules have the id ${id}.`]),
    ...(levels.get(`${place} ${sentence}`)?.level === level
      ? []
      : [`${id}: the same sentence has another level in a different rule.`]),
    ...(says(contract, place, sentence) ? [] : [`${id}: the sentence is not at ${place}: ${sentence}`]),
  ]);
}

/** Whether the contract node at a pointer contains a sentence, ignoring line breaks. */
function says(contract: Contract, place: string, sentence: string): boolean {
  try {
    const text = at(contract, place);
    return sentence.trim() !== "" && typeof text === "string" && flatten(text).includes(flatten(sentence));
  } catch {
    return false;
  }
}

function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function findUncovered({ contract, rules, beyondReach }: Sources): readonly string[] {
  const covered = new Set(rules.flatMap(({ covers = [] }) => covers));
  const answers = listOperations(contract).flatMap(({ operation: { operationId, responses } }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  const all = [...answers, ...constrainedInRequests(contract)];
  const isJudged = covered.has(EVERY_ANSWER);
  return [
    ...all
      .filter((each) => !covered.has(each) && beyondReach[each] === undefined)
      .map((each) => `${each} has no rule.`),
    ...Object.keys(beyondReach).flatMap((each) => {
      if (!all.includes(each)) return [`${each} is declared as unreachable, but it is not in the contract.`];
      return covered.has(each) ? [`${each} is declared as unreachable, but it has a rule.`] : [];
    }),
    ...(isJudged ? [] : constrainedInAnswers(contract).map((each) => `${each} of responses has no rule.`)),
    ...[...covered]
      .filter((each) => !exists(contract, all, each))
      .map((each) => `A rule covers ${each}, which is not in the contract.`),
  ];
}

/** Rules may also cover unconstrained members, parts of responses, and responses to requests without an operation. */
function exists(contract: Contract, all: readonly string[], covered: string): boolean {
  const [name = "", member] = covered.split(/[. ]/);
  const { properties } = contract.components.schemas[name] ?? {};
  const isSchema = name in contract.components.schemas && (member === undefined || member in (properties ?? {}));
  return (
    covered === EVERY_ANSWER || all.includes(covered) || isSchema || name in contract["x-answers-of-other-requests"]
  );
}

function findUndecided({ decisions, rules }: Sources): readonly string[] {
  const known = new Set<string>(rules.map(({ id }) => id));
  return readDecisions(decisions).flatMap(({ point, rules: named, whyNone }) =>
    named.length === 0 && whyNone === undefined
      ? [`DECISIONS.md names no rule for "${point}", and gives no reason.`]
      : named.flatMap((id) =>
          known.has(id) ? [] : [`DECISIONS.md names ${id} for "${point}", but this rule doesn't exist.`],
        ),
  );
}

/** A row of openapi/DECISIONS.md. */
type Decision = {
  readonly point: string;
  /** The ids of the rules that test the decision. */
  readonly rules: readonly string[];
  /** The reason why no rule tests the decision. */
  readonly whyNone: string | undefined;
};

const HEAD = "| Open point |";

function readDecisions(text: string): readonly Decision[] {
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith(HEAD));
  return rows.map((row) => {
    const cells = row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    const [point = "", last = ""] = [cells[0], cells[4]];
    const [, whyNone] = /^none: (.+)$/.exec(last) ?? [];
    const rules = [...last.matchAll(/`(RBS-[A-Z]+-\d\d)`/g)].map(([, id = ""]) => id);
    return { point, rules, whyNone };
  });
}

/** Checks that the conformance suite has rules for the whole contract, and that every rule quotes the contract. */
if (import.meta.main) {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const gaps = findGaps({
    contract: JSON.parse(read("openapi/generated/openapi.json")) as Contract,
    decisions: read("openapi/DECISIONS.md"),
    rules: RULES,
    beyondReach: UNTESTABLE,
  });
  for (const gap of gaps) process.stderr.write(`${gap}\n`);
  process.exitCode = gaps.length === 0 ? 0 : 1;
}
