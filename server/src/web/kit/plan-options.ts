import { html } from "hono/html";
import type { Html } from "./layout.ts";

/** A plan or none, as the options of a choice. @param chosen `none`, or a name; one that is offered no more stays possible. Empty: nothing yet. */
export function renderPlanOptions(names: readonly string[], chosen: string): Html {
  const known = ["", "none", ...names].includes(chosen) ? names : [...names, chosen];
  return html`<option value="none" ${chosen === "none" ? "selected" : ""}>none: no subscription</option>
    ${known.map(
      (name) =>
        html`<option value="${name}" ${name === chosen ? "selected" : ""}>
          ${name}${names.includes(name) ? "" : " (not among the plans any more)"}
        </option>`,
    )}`;
}
