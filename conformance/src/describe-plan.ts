import type { ContractVersion } from "./contract/versions.ts";
import type { Options } from "./options.ts";
import type { Plan } from "./plan.ts";

/** Number of browsers that are shared between rules. */
const SHARED = 3;
/** Maximum number of browsers that a rule opens at the same time on a special account. */
const ON_OTHERS = 5;

/** Describes a run before it starts, so that the user can cancel it. */
export function describePlan(
  { rules, skipped, opens }: Plan,
  { run, isDryRun }: Options,
  contract: ContractVersion,
): string {
  const { baseUrl, profile, tokens, parallel, waiting = 0, rate, labelPrefix, seed } = run;
  const where = baseUrl === "" ? "no deployment" : `deployment ${baseUrl}`;
  const others = Object.keys(tokens).length === 0 ? "" : `, and up to ${ON_OTHERS} on each of the other accounts`;
  const pace = rate === undefined ? "" : ` The run sends up to ${rate} requests per second.`;
  const lines = [
    `Profile ${profile}, ${where}, contract version ${contract}, seed ${seed}.`,
    `The run tests ${rules.length} of ${rules.length + skipped.length} rules and opens up to ${opens} browsers in total.`,
    `Up to ${parallel + waiting + SHARED} browsers are open at the same time${others}.${pace}`,
    `All labels begin with ${labelPrefix}. The run doesn't touch any other browsers.`,
  ];
  if (isDryRun) {
    lines.push("", ...rules.map(({ id, sentence }) => `  ${id.padEnd(15)} ${flatten(sentence)}`));
    const reasons = Map.groupBy(skipped, ({ reason }) => reason);
    for (const [reason, each] of reasons)
      lines.push("", `Skipped: ${reason}`, `  ${each.map(({ rule }) => rule.id).join(" ")}`);
    lines.push("", "Dry run: no requests were sent.");
  }
  return `${lines.join("\n")}\n`;
}

function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
