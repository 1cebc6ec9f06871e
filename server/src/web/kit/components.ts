import { html } from "hono/html";
import { type Frame, type Html, renderForm } from "./layout.ts";

type Field = {
  readonly name: string;
  /** Unique on the page. Default: the name. */
  readonly id?: string;
  readonly label: string | Html;
  readonly hint?: string | Html | undefined;
  /** What is wrong with the value. */
  readonly faults: readonly string[];
  /** Renders the control. @param marks Attributes that connect the control with its label, hint and faults. */
  readonly control: (marks: Html) => Html;
};

export function renderField({ name, id = name, label, hint, faults, control }: Field): Html {
  const notes = [...(faults.length === 0 ? [] : [`${id}-fault`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  const marks = html`id="${id}" name="${name}" ${notes.length === 0 ? "" : html`aria-describedby="${notes.join(" ")}"`}
  ${faults.length === 0 ? "" : html`aria-invalid="true"`}`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${control(marks)} ${renderFaults(id, faults)}
    ${hint === undefined ? "" : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

/** @param id Of the control or the group that the faults are about. */
export function renderFaults(id: string, faults: readonly string[]): Html {
  if (faults.length < 2)
    return html`${faults.map((fault) => html`<p class="fault" id="${id}-fault" role="alert">${fault}</p>`)}`;
  return html`<ul class="fault" id="${id}-fault" role="alert">
    ${faults.map((fault) => html`<li>${fault}</li>`)}
  </ul>`;
}

export function toFaults(fault: string | undefined): readonly string[] {
  return fault === undefined ? [] : [fault];
}

/** What a page says after a form was sent, by the word in the address: `?done=closed`. */
export type DoneWords = ReadonlyMap<string, string>;

/** @param word From the address. Any site can link to the page with any word, so the page never shows it. */
export function renderDone(words: DoneWords, word: string | undefined): Html {
  const sentence = words.get(word ?? "");
  return sentence === undefined ? html`` : html`<p class="notice good" role="status">${sentence}</p>`;
}

type CodeBlock = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Whether the text has a placeholder. Such a block has no Copy button. */
  readonly isToFillIn?: boolean;
};

/** Text to read and to copy. A line that is too wide scrolls. */
export function renderCodeBlock({ id, title, text, isToFillIn = false }: CodeBlock): Html {
  return html`<div class="code-block">
    <div class="row spread">
      <p id="${id}-title">${title}</p>
      ${isToFillIn ? "" : html`<button type="button" class="small" data-copy="${text}">Copy<span class="unseen"> ${title}</span></button>`}
    </div>
    <pre id="${id}" tabindex="0" role="group" aria-labelledby="${id}-title"><code>${text}</code></pre>
  </div>`;
}

/** A secret that the page shows only once. */
export function renderSecret(id: string, name: string, secret: string): Html {
  return html`<div class="field">
    <h2 id="${id}">${name}</h2>
    <div class="row">
      <code class="secret">${secret}</code>
      <button type="button" data-copy="${secret}">Copy <span class="unseen">the ${name.toLowerCase()}</span></button>
    </div>
  </div>`;
}

/** A browser's id. Programs find the browser by it, but can't control it. */
export function renderId(id: string): Html {
  return html`<span class="id">
    <code>${id}</code>
    <button type="button" class="small" data-copy="${id}">Copy<span class="unseen"> id</span></button>
  </span>`;
}

/**
 * A browser's tags.
 * @param options.max How many to show. The others are counted. @param options.toUrl Where a tag links to.
 */
export function renderTags(
  tags: readonly string[],
  { max = Infinity, toUrl }: { readonly max?: number; readonly toUrl?: (tag: string) => string } = {},
): Html {
  if (tags.length === 0) return html``;
  // The bdi element keeps a right-to-left tag from reordering the text around it.
  const toWords = (tag: string): Html => html`<bdi title="${tag}">${tag}</bdi>`;
  return html`<ul class="tags" role="list" aria-label="Tags">
    ${tags.slice(0, max).map((tag) => html`<li>${toUrl === undefined ? toWords(tag) : html`<a href="${toUrl(tag)}">${toWords(tag)}</a>`}</li>`)}
    ${tags.length > max ? html`<li>+${tags.length - max}<span class="unseen"> more</span></li>` : ""}
  </ul>`;
}

export type Question = {
  /** Label of the button that asks. */
  readonly ask: string;
  /** What will happen. */
  readonly text: string;
  /** Label of the button that confirms. */
  readonly act: string;
  readonly path: string;
  /** Hidden fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
  /** If the user has to enter their own password: what is wrong with it, if anything. */
  readonly password?: { readonly fault: string | undefined };
};

/** A button that asks for confirmation before its form is sent. */
export function renderQuestion(frame: Frame, { ask, text, act, path, fields = {}, password }: Question): Html {
  const content = html`<p>${text}</p>
    ${password === undefined ? "" : renderOwnPassword(path, password.fault)}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button type="submit" class="danger">${act}</button>`;
  return html`<details class="asks" ${password?.fault === undefined ? "" : "open"}>
    <summary class="button">${ask}</summary>
    ${renderForm(frame, path, content, { className: "stack" })}
  </details>`;
}

function renderOwnPassword(path: string, fault: string | undefined): Html {
  return renderField({
    name: "password",
    // A page can ask for it in several forms.
    id: `password-for-${path.slice(path.lastIndexOf("/") + 1)}`,
    label: "Your password",
    faults: toFaults(fault),
    control: (marks) => html`<input ${marks} type="password" autocomplete="current-password" required />`,
  });
}

/**
 * The plans as options of a select element, with "none" first.
 * @param chosen A plan's name or `none`; empty if nothing is chosen yet. A plan that no longer exists stays selectable.
 */
export function renderPlanOptions(names: readonly string[], chosen: string): Html {
  const known = ["", "none", ...names].includes(chosen) ? names : [...names, chosen];
  return html`<option value="none" ${chosen === "none" ? "selected" : ""}>none (no plan)</option>
    ${known.map(
      (name) =>
        html`<option value="${name}" ${name === chosen ? "selected" : ""}>
          ${name}${names.includes(name) ? "" : " (no longer offered)"}
        </option>`,
    )}`;
}
