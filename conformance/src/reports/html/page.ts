import { createHash } from "node:crypto";
import type { Verdict } from "../../run/verdict.ts";
import type { Comparison } from "../comparison.ts";
import { groupByCause, toFailing, toOutdated, toSkips, toTitle } from "../conclusion.ts";
import type { ReportedRule, RunReport } from "../report.ts";
import { renderCard } from "./card.ts";
import { renderChanges } from "./changes.ts";
import { renderHeader } from "./header.ts";
import { rowId, sentenceCase } from "./labels.ts";
import { type Markup, markup, NOTHING, trusted } from "./markup.ts";
import { prose } from "./prose.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { renderTable } from "./table.ts";

/** Maximum number of expanded cards. If the page has more cards, all are collapsed. */
const MAX_UNFOLDED = 8;

/** Renders the report as one HTML page without external resources. */
export function renderHtml(report: RunReport, comparison?: Comparison): string {
  const { rules, contract, tool } = report;
  const { known = [], unknown = [] } = Object.groupBy(toFailing(rules), ({ knownFailure }) =>
    knownFailure === null ? "unknown" : "known",
  );
  const ofVerdict = (wanted: Verdict): readonly ReportedRule[] => rules.filter((rule) => rule.verdict === wanted);
  const sections = [
    renderCards("failures", "Failures", unknown),
    renderCards("warnings", "Recommendations not followed", ofVerdict("warn")),
    renderCards("undecided", "Inconclusive", ofVerdict("inconclusive")),
    renderCards("known", "Known failures", known),
    renderOutdated(toOutdated(rules)),
    comparison === undefined ? NOTHING : renderChanges(comparison),
    renderSkips(rules),
    renderTable(rules),
  ];
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'; form-action 'none'">
<title>${sentenceCase(toTitle(report))} · ${contract.title} ${contract.version}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
${renderHeader(report, comparison)}
<main>
${sections}
</main>
<footer><p>${tool.name} ${tool.version}. Tokens, addresses and passwords are replaced with names like <code>$TOKEN</code>. Long bodies are cut.</p></footer>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.html;
}

function renderCards(id: string, title: string, rules: readonly ReportedRule[]): Markup {
  if (rules.length === 0) return NOTHING;
  const groups = groupByCause(rules);
  const render = (rule: ReportedRule): Markup => renderCard(rule, { isOpen: groups.length <= MAX_UNFOLDED });
  const cards = groups.map(
    ([first, ...others]) => markup`${first === undefined ? NOTHING : render(first)}
${others.length === 0 ? NOTHING : markup`<details class="group"><summary><b>${others.length}</b> <span>more with the same cause</span></summary>${others.map(render)}</details>`}`,
  );
  return markup`<section id="${id}"><h2>${title} <small>${rules.length}</small></h2>${cards}</section>`;
}

function renderOutdated(rules: readonly ReportedRule[]): Markup {
  if (rules.length === 0) return NOTHING;
  const items = rules.map(({ id, knownFailure }) => markup`<li>${toRow(id)} was: ${knownFailure}</li>`);
  return markup`
<section id="outdated"><h2>Expected failures that now pass</h2><ul class="panel">${items}</ul></section>`;
}

function renderSkips(rules: readonly ReportedRule[]): Markup {
  const groups = toSkips(rules);
  if (groups.length === 0) return NOTHING;
  const items = groups.map(
    ([reason, skipped]) => markup`
<li><details class="group"><summary><b>${skipped.length}</b> <span>${reason}</span></summary>
<ul>${skipped.map(({ id, level, sentence }) => markup`<li>${toRow(id)} <span class="chip">${level}</span> ${prose(sentence)}</li>`)}</ul></details></li>`,
  );
  return markup`<section id="skips"><h2>Skipped rules by reason</h2><ul class="panel">${items}</ul></section>`;
}

function toRow(id: string): Markup {
  return markup`<a class="id" href="#${rowId(id)}">${id}</a>`;
}

/** Returns a Content-Security-Policy hash: only hashed styles and scripts are used, whatever a response contains. */
function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
