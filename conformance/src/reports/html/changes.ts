import type { Change, ChangedRule, Comparison } from "../comparison.ts";
import { rowId, sentenceCase, toMoment, endingStep } from "./labels.ts";
import { type Markup, markup, NOTHING, OPEN } from "./markup.ts";
import { prose } from "./prose.ts";

/** Maximum number of rules in an expanded list. Longer lists and lists without problems are collapsed. */
const MAX_UNFOLDED = 10;
const WORSE: ReadonlySet<Change> = new Set([
  ...(["newly failing", "newly warned about", "newly inconclusive", "newly skipped"] as const),
]);

/** Renders the differences from an earlier run. */
export function renderChanges({ previous, caveats, changes }: Comparison): Markup {
  return markup`
<section id="changes"><h2>Changes since the previous run <small>${toMoment(previous.startedAt)}, ${previous.verdict}</small></h2>
<div class="panel">
${caveats.map((each) => markup`<p class="note">${each}</p>`)}
${changes.size === 0 ? markup`<p>All results are the same as in the previous run.</p>` : [...changes].map(renderChange)}
</div></section>`;
}

/** Renders a one-line summary of the differences for the top of the page. */
export function renderChangeLine({ previous, changes }: Comparison): Markup {
  const words = [...changes].map(([change, rules]) => `${rules.length} ${change}`).join(", ");
  return markup`<p class="since"><a href="#changes">Since ${toMoment(previous.startedAt)}</a>: ${words === "" ? "no change" : words}.</p>`;
}

function renderChange([change, rules]: readonly [Change, readonly ChangedRule[]]): Markup {
  const isOpen = WORSE.has(change) && rules.length <= MAX_UNFOLDED;
  return markup`
<details class="group"${isOpen ? OPEN : NOTHING}><summary><b>${rules.length}</b> <span>${sentenceCase(change)}</span></summary>
<ul>${rules.map(renderRule)}</ul></details>`;
}

function renderRule({ id, sentence, before, now }: ChangedRule): Markup {
  const name =
    now === null ? markup`<span class="id">${id}</span>` : markup`<a class="id" href="#${rowId(id)}">${id}</a>`;
  return markup`<li>${name} ${endingStep(before, now)} ${prose(sentence)}</li>`;
}
