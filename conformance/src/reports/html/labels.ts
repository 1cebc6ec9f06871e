import type { Ending } from "../conclusion.ts";
import type { CapabilityConclusion } from "../report.ts";
import { type Markup, markup, NOTHING, trusted } from "./markup.ts";

/** Display names of results. */
export const ENDING_WORD: Readonly<Record<Ending, string>> = {
  pass: "passed",
  skip: "skipped",
  warn: "warning",
  fail: "failed",
  known: "known failure",
  inconclusive: "inconclusive",
};

/** CSS classes of the verdicts. */
export const CONCLUSION_CLASS: Readonly<Record<CapabilityConclusion["verdict"], Ending>> = {
  conformant: "pass",
  passed: "pass",
  incomplete: "warn",
  "not tested": "skip",
  "not offered": "skip",
  "known failures": "known",
  "not conformant": "fail",
  inconclusive: "inconclusive",
};

/**
 * SVG paths in a 16 px square (tick, dash, exclamation mark, cross and question mark), for readers who can't
 * distinguish the colours.
 */
const SIGNS: Readonly<Record<Ending, string>> = {
  pass: "M3.5 8.5l3 3 6-7",
  skip: "M4 8h8",
  warn: "M8 3.5v5.5M8 12v.4",
  fail: "M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6",
  known: "M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6",
  inconclusive: "M5.6 6.1a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.7M8 12.4v.3",
};

export function sign(ending: Ending): Markup {
  const path = SIGNS[ending];
  return trusted(`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`);
}

export function endingLabel(ending: Ending): Markup {
  return markup`<span class="verdict ${ending}">${sign(ending)}${ENDING_WORD[ending]}</span>`;
}

/** Renders how a result changed between two runs. Null means that the rule did not exist in that run. */
export function endingStep(before: Ending | null, now: Ending | null): Markup {
  const end = (ending: Ending | null): Markup => (ending === null ? NOTHING : endingLabel(ending));
  return before === null || now === null
    ? markup`${end(before)}${end(now)}`
    : markup`${end(before)}<span class="to">→</span>${end(now)}`;
}

export function chips(words: readonly string[]): readonly Markup[] {
  return words.map((word) => markup`<span class="chip">${word}</span> `);
}

/** Returns the anchor of a rule's row. */
export function rowId(id: string): string {
  return `rule-${id}`;
}

export function toDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  return seconds < 90 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `2026-03-04 05:06:07 UTC` */
export function toMoment(rfc3339: string): string {
  return rfc3339.replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC");
}

export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
