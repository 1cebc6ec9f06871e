import type { RuleId } from "./vocabulary.ts";

/** Whether somebody who writes `wanted` means this rule: `RBS-OPEN-03` is one, `RBS-OPEN` all that begin so. */
export function isMeant(id: RuleId, wanted: string): boolean {
  return id === wanted || id.startsWith(wanted.endsWith("-") ? wanted : `${wanted}-`);
}
