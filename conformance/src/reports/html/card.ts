import type { Finding, ReportedExchange } from "../../run/verdict.ts";
import { endingOf, toShowing } from "../conclusion.ts";
import type { Layer } from "../../contract/vocabulary.ts";
import type { ReportedRule } from "../report.ts";
import { indentJson } from "./indent-json.ts";
import { chips, endingLabel } from "./labels.ts";
import { type Markup, markup, NOTHING, OPEN } from "./markup.ts";
import { prose } from "./prose.ts";

/** Renders a rule that needs attention: its sentence, the findings, and the exchanges that show the findings. */
export function renderCard(rule: ReportedRule, { isOpen }: { readonly isOpen: boolean }): Markup {
  const { id, level, capability, layer, operations, sentence, at, reason, findings, knownFailure } = rule;
  const ending = endingOf(rule);
  return markup`
<details class="card ${ending}" id="${id}"${isOpen ? OPEN : NOTHING}>
<summary>
<span class="line">${endingLabel(ending)} <b class="id">${id}</b> <span class="chips">${chips([level, capability, ...operations])}</span></span>
<span class="sentence">${prose(sentence)}</span>
</summary>
<p class="at"><code>${at}</code></p>
${ending === "known" ? markup`<p class="note"><b>Known:</b> ${knownFailure}</p>` : NOTHING}
${reason === null ? NOTHING : markup`<p class="note">${reason}</p>`}
${findings.map((finding) => renderFinding(layer, finding))}
</details>`;
}

function renderFinding(layer: Layer, { expected, seen, exchanges }: Finding): Markup {
  return markup`
<dl class="finding">
<div class="expected"><dt>Expected</dt><dd>${expected}</dd></div>
<div class="seen"><dt>Seen</dt><dd>${seen}</dd></div>
</dl>
${exchanges.length === 0 ? NOTHING : renderExchanges(layer, exchanges)}`;
}

function renderExchanges(layer: Layer, exchanges: readonly ReportedExchange[]): Markup {
  const showing = toShowing(layer, exchanges);
  return markup`
<details class="exchanges">
<summary>${exchanges.length === 1 ? "Show the exchange" : `Show ${exchanges.length} exchanges`}</summary>
<ol>
${exchanges.map((exchange, index) => renderExchange(exchange, { isOpen: index === exchanges.length - 1 }))}
</ol>
${showing.length > 1 ? renderCurls("Reproduce all steps", showing) : NOTHING}
</details>`;
}

function renderCurls(title: string, exchanges: readonly ReportedExchange[]): Markup {
  const curls = exchanges.map(({ curl }) => curl).join("\n");
  return markup`<h4>${title} <button type="button" class="copy" hidden>Copy</button></h4><pre class="curl" tabindex="0">${curls}</pre>`;
}

function renderExchange(exchange: ReportedExchange, { isOpen }: { readonly isOpen: boolean }): Markup {
  const { request, sent, status, headers, received } = exchange;
  const lines = Object.entries(headers).map(([name, value]) => markup`<b>${name}:</b> ${value}\n`);
  return markup`
<li><details${isOpen ? OPEN : NOTHING}>
<summary><code>${request}</code> <span class="status s${String(status ?? 0).slice(0, 1)}">${status ?? "no answer"}</span></summary>
${sent === null ? NOTHING : markup`<h4>Sent</h4><pre tabindex="0">${indentJson(sent)}</pre>`}
<h4>Received</h4><pre tabindex="0">${lines}${lines.length === 0 ? NOTHING : markup`\n`}${received === "" ? "(no body)" : indentJson(received)}</pre>
${renderCurls("Reproduce", [exchange])}
</details></li>`;
}
