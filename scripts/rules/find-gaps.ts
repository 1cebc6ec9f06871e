import { at, type Contract } from "../../openapi/scripts/contract.ts";
import type { Rule } from "../../conformance/src/registry/rule.ts";
import { constrainedInAnswers, constrainedInRequests } from "./constraints.ts";
import { readDecisions } from "./decisions.ts";

export type Sources = {
  readonly contract: Contract;
  /** The text of DECISIONS.md. */
  readonly decisions: string;
  readonly rules: readonly Rule[];
  /** What no rule can bring about, with reasons. */
  readonly beyondReach: Readonly<Record<string, string>>;
};

type Operation = { readonly operationId: string; readonly responses: object; readonly "x-rules"?: readonly string[] };

/** What a rule covers that holds the body of every answer against its schema, and so each of its members. */
const EVERY_ANSWER = "every answer";

/** Where rules and contract do not fit together, a line each; empty when all is well. */
export function findGaps(sources: Sources): readonly string[] {
  return [...findBadRules(sources), ...findForeignIds(sources), ...findUncovered(sources), ...findUndecided(sources)];
}

function findBadRules({ contract, rules }: Sources): readonly string[] {
  const ids = rules.map(({ id }) => id);
  const levels = new Map<string, Rule>();
  for (const rule of rules)
    levels.set(`${rule.at} ${rule.sentence}`, levels.get(`${rule.at} ${rule.sentence}`) ?? rule);
  return rules.flatMap(({ id, at: place, sentence, level }, index) => [
    ...(/^RBS-[A-Z]+-\d\d$/.test(id) ? [] : [`${id}: an id is RBS-AREA-NN.`]),
    ...(ids.indexOf(id) === index ? [] : [`${id} is the id of two rules.`]),
    ...(levels.get(`${place} ${sentence}`)?.level === level
      ? []
      : [`${id}: its sentence has another level elsewhere.`]),
    ...(says(contract, place, sentence) ? [] : [`${id}: its sentence does not stand at ${place}: ${sentence}`]),
  ]);
}

/** Line breaks aside, and those of a list's or a table's markup. */
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

function findForeignIds({ contract, rules }: Sources): readonly string[] {
  const known = new Set<string>(rules.map(({ id }) => id));
  const named = [
    ...operationsOf(contract).flatMap((operation) => operation["x-rules"] ?? []),
    ...((contract as { "x-rules"?: readonly string[] })["x-rules"] ?? []),
  ];
  return [
    ...rules.flatMap((rule) => findMisplaced(contract, rule)),
    ...[...known]
      .filter((id) => !named.includes(id))
      .map((id) => `${id} stands nowhere in openapi.yaml: add it to an x-rules.`),
    ...[...new Set(named)].filter((id) => !known.has(id)).map((id) => `openapi.yaml names ${id}, which is not a rule.`),
  ];
}

/** A rule that brings about an operation's answer stands at that operation. */
function findMisplaced(contract: Contract, { id, covers = [] }: Rule): readonly string[] {
  return operationsOf(contract).flatMap(({ operationId, "x-rules": here = [] }) => {
    const isHere = here.includes(id) || !covers.some((each) => each.startsWith(`${operationId} `));
    return isHere ? [] : [`${id} covers ${operationId}: add it to the x-rules there.`];
  });
}

function findUncovered({ contract, rules, beyondReach }: Sources): readonly string[] {
  const covered = new Set(rules.flatMap(({ covers = [] }) => covers));
  const answers = operationsOf(contract).flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  const all = [...answers, ...constrainedInRequests(contract)];
  const isJudged = covered.has(EVERY_ANSWER);
  return [
    ...all
      .filter((each) => !covered.has(each) && beyondReach[each] === undefined)
      .map((each) => `${each} has no rule.`),
    ...Object.keys(beyondReach).flatMap((each) => {
      if (!all.includes(each)) return [`${each} is called beyond reach, and is nothing of the contract.`];
      return covered.has(each) ? [`${each} is called beyond reach, and has a rule.`] : [];
    }),
    ...(isJudged ? [] : constrainedInAnswers(contract).map((each) => `${each} of answers has no rule.`)),
    ...[...covered]
      .filter((each) => !exists(contract, all, each))
      .map((each) => `${each} is covered by a rule, and nothing of the contract.`),
  ];
}

/** Rules may cover more than has to be: unconstrained members, what answers consist of, what no operation answers. */
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
      ? [`DECISIONS.md names no rule for "${point}", nor says why there is none.`]
      : named.flatMap((id) =>
          known.has(id) ? [] : [`DECISIONS.md names ${id} for "${point}", and there is no such rule.`],
        ),
  );
}

function operationsOf(contract: Contract): readonly Operation[] {
  return Object.values(contract.paths).flatMap((methods) => Object.values(methods) as unknown as Operation[]);
}
