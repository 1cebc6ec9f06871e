import { RULE_LISTS } from "./generated/rule-lists.ts";
import { type Rule, areaOf } from "../rules/rule.ts";

const AREAS = Map.groupBy(RULE_LISTS.flat(), areaOf);

/** All rules in report order: areas in the order of their files, and the rules within an area by number. */
export const RULES: readonly Rule[] = [...AREAS.values()].flatMap((rules) =>
  rules.toSorted((one, other) => one.id.localeCompare(other.id)),
);
