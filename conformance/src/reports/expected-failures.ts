import { ConfigError } from "../config-error.ts";
import type { RuleId } from "../registry/vocabulary.ts";
import { readJson } from "./read-json.ts";

/** Why each of these rules may fail, as their operator says. */
export type ExpectedFailures = ReadonlyMap<RuleId, string>;

const EXAMPLE = 'It has to look like { "RBS-OPEN-01": "why it fails, and until when" }.';

/**
 * Reads an expected-failures file. A rule in it that fails is a known failure; one in it that passes is reported, so that
 * its line gets removed.
 * @param ids Of all rules there are.
 * @throws {ConfigError} With everything that is wrong with it.
 */
export async function readExpectedFailures(path: string, ids: readonly RuleId[]): Promise<ExpectedFailures> {
  const { text, value } = await readJson(path, EXAMPLE);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError([`${path} has no JSON object at its top. ${EXAMPLE}`]);
  }
  const known = new Set<string>(ids);
  const problems = Object.entries(value).flatMap(([id, reason]: [string, unknown]) => {
    if (!known.has(id)) return [`${id}: there is no such rule${didYouMean(id, ids)}.`];
    if (typeof reason !== "string") return [`${id}: the reason has to be a text, not ${JSON.stringify(reason)}.`];
    return reason.trim() === "" ? [`${id}: the reason is empty; say why it may fail.`] : [];
  });
  for (const id of repeatedKeys(text)) problems.push(`${id}: it stands there more than once.`);
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `${path}: ${problem}`));
  return new Map(Object.entries(value) as [RuleId, string][]);
}

/** JSON.parse keeps the last of them without a word, and a reason would be lost. */
function repeatedKeys(text: string): readonly string[] {
  const seen = [...text.matchAll(/"(RBS-[A-Z]+-\d+)"\s*:/g)].map(([, id = ""]) => id);
  return [...new Set(seen.filter((id, index) => seen.indexOf(id) !== index))];
}

function didYouMean(id: string, ids: readonly RuleId[]): string {
  const bare = (each: string): string => each.toUpperCase().replace(/-0*(\d+)$/, "-$1");
  const near = ids.find((each) => bare(each) === bare(id.trim()));
  return near === undefined ? "" : `; did you mean ${near}?`;
}
