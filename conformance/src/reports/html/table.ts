import { CAPABILITIES, LEVELS } from "../../contract/vocabulary.ts";
import { endingOf, ENDINGS } from "../conclusion.ts";
import type { ReportedRule } from "../report.ts";
import { ENDING_WORD, endingLabel, rowId, sentenceCase, toDuration } from "./labels.ts";
import { type Markup, markup, NOTHING } from "./markup.ts";
import { prose } from "./prose.ts";

/** Renders the table of all rules. The filter is only shown if JavaScript is enabled. */
export function renderTable(rules: readonly ReportedRule[]): Markup {
  return markup`
<section id="rules">
<h2>All rules</h2>
<form id="filter" hidden>
${renderChoice("verdict", ENDINGS, new Set(rules.map(endingOf)))}
${renderChoice("level", LEVELS, new Set(rules.map(({ level }) => level)))}
${renderChoice("capability", CAPABILITIES, new Set(rules.map(({ capability }) => capability)))}
<label class="search">Text <input type="search" name="text" placeholder="RBS-OPEN, KeepOpen, closeBrowser …" autocomplete="off"></label>
<button type="reset">Show all</button>
<output name="shown" aria-live="polite"></output>
</form>
<table>
<thead><tr><th scope="col">Verdict</th><th scope="col">Rule</th><th scope="col">Sentence of the contract</th><th scope="col">Level</th><th scope="col">Capability</th><th scope="col" class="number">Time</th></tr></thead>
<tbody>
${rules.map(renderRow)}
</tbody>
</table>
</section>`;
}

/** Renders a select element with the values that occur in the report. @param all All possible values, in order. */
function renderChoice(name: string, all: readonly string[], present: ReadonlySet<string>): Markup {
  const words: Readonly<Record<string, string>> = ENDING_WORD;
  const options = all
    .filter((value) => present.has(value))
    .map((value) => markup`<option value="${value}">${words[value] ?? value}</option>`);
  return markup`<label>${sentenceCase(name)} <select name="${name}"><option value="">all</option>${options}</select></label>`;
}

function renderRow(rule: ReportedRule): Markup {
  const { id, level, capability, layer, operations, sentence, reason, at, durationMs } = rule;
  const ending = endingOf(rule);
  const isInFull = ending !== "pass" && ending !== "skip";
  const where = [...operations, ...(layer === "lifecycle" ? [] : [layer])].join(" · ");
  return markup`
<tr id="${rowId(id)}" data-verdict="${ending}" data-level="${level}" data-capability="${capability}" data-at="${at}">
<td>${endingLabel(ending)}</td>
<th scope="row">${isInFull ? markup`<a href="#${id}">${id}</a>` : id}</th>
<td class="words">${prose(sentence)}${where === "" ? NOTHING : markup` <small>${where}</small>`}${reason === null || isInFull ? NOTHING : markup`<small class="why">${reason}</small>`}</td>
<td>${level}</td><td>${capability}</td><td class="number">${toDuration(durationMs)}</td>
</tr>`;
}
