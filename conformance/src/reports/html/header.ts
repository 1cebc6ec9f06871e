import type { Comparison } from "../comparison.ts";
import { countEndings, type Ending, ENDINGS, toTitle } from "../conclusion.ts";
import type { CapabilityConclusion, RunReport } from "../report.ts";
import { renderChangeLine } from "./changes.ts";
import { CONCLUSION_CLASS, sentenceCase, sign, toDuration, toMoment, ENDING_WORD } from "./labels.ts";
import { type Markup, markup, NOTHING } from "./markup.ts";

/** Minimum width in percent, so that even a single failure is visible. */
const MIN_SHARE = 1.2;

/** Renders the top of the page: the verdict, the number of rules per result, and the run's parameters. */
export function renderHeader(report: RunReport, comparison: Comparison | undefined): Markup {
  const { verdict, why, contract, capabilities, leftBehind } = report;
  const counts = countEndings(report.counts);
  const ended = ENDINGS.filter((each) => counts[each] > 0);
  return markup`
<header class="${CONCLUSION_CLASS[verdict]}"><div>
<p class="over">Conformance to ${contract.title} ${contract.version}</p>
<h1>${sign(CONCLUSION_CLASS[verdict])}${sentenceCase(toTitle(report))}</h1>
<p class="lead">${why}</p>
<dl class="capabilities">${capabilities.map(renderCapability)}</dl>
${renderBar(report)}
<ul class="counts">${ended.map((each) => renderCount(each, counts[each]))}</ul>
${comparison === undefined ? NOTHING : renderChangeLine(comparison)}
${leftBehind.map((each) => markup`<p class="left">${sign("warn")}<span>${each}</span></p>`)}
<dl class="facts">${toFacts(report).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</div></header>`;
}

function renderCapability({ capability, verdict, why }: CapabilityConclusion): Markup {
  const ending = CONCLUSION_CLASS[verdict];
  return markup`<div><dt>${capability}</dt><dd class="verdict ${ending}">${sign(ending)}${verdict}</dd><dd><small>${why ?? ""}</small></dd></div>`;
}

function toFacts(report: RunReport): readonly (readonly [string, string])[] {
  const { contract, target, opens, startedAt, durationMs, profile, seed, labelPrefix } = report;
  return [
    ["Deployment", target.baseUrl],
    ["Contract", `${contract.title} ${contract.version}`],
    ["Profile", profile],
    ["Started", toMoment(startedAt)],
    ["Took", toDuration(durationMs)],
    ["Browsers opened", `${opens.used} of up to ${opens.planned}`],
    ["Seed", String(seed)],
    ["Labels begin with", labelPrefix],
  ];
}

/** Renders a bar that shows the proportion of each result. */
function renderBar({ counts: all, rules }: RunReport): Markup {
  const counts = countEndings(all);
  const present = ENDINGS.filter((each) => counts[each] > 0);
  const widths = present.map((each) => Math.max((counts[each] / rules.length) * 100, MIN_SHARE));
  const scale = 100 / widths.reduce((sum, width) => sum + width, 0);
  let x = 0;
  const parts = present.map((each, index) => {
    const width = (widths[index] ?? 0) * scale;
    x += width;
    return markup`<rect class="${each}" x="${(x - width).toFixed(3)}" width="${width.toFixed(3)}" height="10"/>`;
  });
  return markup`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

/** Renders a link that filters the table if JavaScript is enabled. */
function renderCount(ending: Ending, number: number): Markup {
  const isPlural = number !== 1 && (ending === "warn" || ending === "known");
  const word = `${ENDING_WORD[ending]}${isPlural ? "s" : ""}`;
  return markup`<li><a class="${ending}" href="#rules" data-show="${ending}"><b>${number}</b> ${word}</a></li>`;
}
