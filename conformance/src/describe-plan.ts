import type { Options } from "./options.ts";
import type { Plan } from "./plan.ts";

/** Browsers that rules share, beside those that they open for themselves. */
const SHARED = 3;
/** The most that a rule opens at once on an account in a certain state. */
const ON_OTHERS = 5;

/** What a run is going to do, before it does: for a person who may still stop it. */
export function describePlan({ rules, skipped, opens }: Plan, { run, isDryRun }: Options): string {
  const { baseUrl, profile, tokens, parallel, rate, labelPrefix, seed } = run;
  const where = baseUrl === "" ? "no deployment yet" : baseUrl;
  const others = Object.keys(tokens).length === 0 ? "" : `, and up to ${ON_OTHERS} on each of the other accounts`;
  const pace = rate === undefined ? "" : ` No more than ${rate} requests a second are sent.`;
  const lines = [
    `Profile ${profile} on ${where}, seed ${seed}.`,
    `${rules.length} rules are tried, ${skipped.length} skipped. Up to ${opens} browsers are opened.`,
    `At the same time up to ${parallel + SHARED} are open${others}.${pace}`,
    `Their labels begin with ${labelPrefix}; no other browser is touched.`,
  ];
  if (isDryRun) {
    lines.push("", ...rules.map(({ id, sentence }) => `  ${id.padEnd(15)} ${flatten(sentence)}`));
    const reasons = Map.groupBy(skipped, ({ reason }) => reason);
    for (const [reason, each] of reasons)
      lines.push("", `Skipped: ${reason}`, `  ${each.map(({ rule }) => rule.id).join(" ")}`);
    lines.push("", "A dry run: nothing was sent.");
  }
  return `${lines.join("\n")}\n`;
}

function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
