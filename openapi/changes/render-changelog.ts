import type { Accepted } from "./released.ts";
import type { Change } from "./change.ts";
import type { Group } from "./place.ts";

const HEADINGS: Readonly<Record<Group, string>> = {
  operations: "Operations",
  requests: "Requests",
  answers: "Answers",
  errors: "Errors",
  prose: "Prose",
};

const LONGEST = 160;

/** Renders the differences as Markdown, with breaking changes first in each group. */
export function renderChangelog(title: string, changes: readonly Change[], accepted: readonly Accepted[]): string {
  if (changes.length === 0) return `# ${title}\n\nNothing differs.\n`;
  const reasons = new Map(accepted.map(({ change, reason }) => [change, reason]));
  const groups = (Object.keys(HEADINGS) as Group[]).map((group) => {
    const lines = changes
      .filter((change) => change.group === group)
      .toSorted((a, b) => Number(b.verdict === "breaking") - Number(a.verdict === "breaking"))
      .map((change) => renderChange(change, reasons.get(change.id)));
    return lines.length === 0 ? "" : `\n## ${HEADINGS[group]}\n\n${lines.join("\n")}\n`;
  });
  return `# ${title}\n${groups.join("")}`;
}

function renderChange(change: Change, reason: string | undefined): string {
  const { verdict, words, why, id, operations } = change;
  const isSaid = operations.length === 1 && words.endsWith(operations[0] ?? "");
  const where = operations.length === 0 || isSaid ? "" : ` (${operations.join(", ")})`;
  const line = `${words}${where}: ${renderDifference(change)}`;
  if (verdict === "prose") return `- ${line}`;
  if (verdict === "additive") return `- ${line} ${why}`;
  const mark = reason === undefined ? "**breaks**" : "**accepted**";
  const because = reason === undefined ? "" : `\n  Accepted: ${reason}`;
  return `- ${mark} ${line} ${why}\n  \`${id}\`${because}`;
}

function renderDifference({ was, is, verdict }: Change): string {
  if (verdict === "prose" && typeof was === "string" && typeof is === "string") return renderText(was, is);
  if (was === undefined) return `new: ${renderValue(is)}.`;
  if (is === undefined) return `was ${renderValue(was)}, now removed.`;
  const [old, now] = [renderValue(was), renderValue(is)];
  return old === now ? "changed." : `was ${old}, is ${now}.`;
}

/** Renders the first difference between two texts, with the surrounding words. */
function renderText(was: string, is: string): string {
  const [old, now] = [was, is].map((text) => text.trim().replaceAll(/\s+/g, " "));
  if (old === undefined || now === undefined || old === now) return "wrapped differently.";
  let same = 0;
  while (old[same] === now[same]) same += 1;
  const start = Math.max(0, old.lastIndexOf(" ", Math.max(0, same - 30)));
  const around = (text: string): string => `“${start > 0 ? "…" : ""}${text.slice(start, start + LONGEST / 2).trim()}”`;
  return `was ${around(old)}, is ${around(now)}.`;
}

function renderValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
