import { ConfigError } from "../config-error.ts";
import type { RuleId } from "../contract/vocabulary.ts";
import { readJson } from "./read-report.ts";

/** Operator-provided reasons why rules may fail. */
type ExpectedFailures = ReadonlyMap<RuleId, string>;

const EXAMPLE = 'The file must look like { "RBS-OPEN-01": "why it fails, and until when" }.';

/**
 * Reads an expected-failures file. A listed rule that fails is a known failure. If a listed rule passes, reports ask
 * the user to remove the rule from the file.
 * @param ids The ids of all rules.
 * @throws {ConfigError} The error lists all mistakes in the file.
 */
export async function readExpectedFailures(path: string, ids: readonly RuleId[]): Promise<ExpectedFailures> {
  const { text, value } = await readJson(path, EXAMPLE);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError([`${path} does not contain a JSON object. ${EXAMPLE}`]);
  }
  const known = new Set<string>(ids);
  const problems = Object.entries(value).flatMap(([id, reason]: [string, unknown]) => {
    if (!known.has(id)) return [`${id}: this rule does not exist${didYouMean(id, ids)}.`];
    if (typeof reason !== "string") return [`${id}: the reason must be a string, not ${JSON.stringify(reason)}.`];
    return reason.trim() === "" ? [`${id}: the reason is empty. Explain why the rule may fail.`] : [];
  });
  for (const id of repeatedKeys(text)) problems.push(`${id}: the file contains this rule more than once.`);
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `${path}: ${problem}`));
  return new Map(Object.entries(value) as [RuleId, string][]);
}

/** Returns duplicate keys: JSON.parse keeps only the last value, so an earlier reason would be lost. */
function repeatedKeys(text: string): readonly string[] {
  const seen = [...text.matchAll(/"(RBS-[A-Z]+-\d+)"\s*:/g)].map(([, id = ""]) => id);
  return [...new Set(seen.filter((id, index) => seen.indexOf(id) !== index))];
}

function didYouMean(id: string, ids: readonly RuleId[]): string {
  const bare = (each: string): string => each.toUpperCase().replace(/-0*(\d+)$/, "-$1");
  const near = ids.find((each) => bare(each) === bare(id.trim()));
  return near === undefined ? "" : `; did you mean ${near}?`;
}
