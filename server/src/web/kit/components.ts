import { html } from "hono/html";
import { type Frame, type Html, renderForm } from "./layout.ts";

type Faults = string | readonly string[] | undefined;

type Field = {
  readonly name: string;
  /** Unique on the page. Default: the name. */
  readonly id?: string;
  readonly label: string | Html;
  readonly hint?: string | Html | undefined;
  /** Validation errors. */
  readonly faults?: Faults;
  /**
   * Attributes of an input element, or a function that renders a different control.
   * @param marks Attributes that link the control to its label, hint and error messages.
   */
  readonly control: Html | ((marks: Html) => Html);
};

export function renderField({ name, id = name, label, hint, faults = [], control }: Field): Html {
  const isWrong = faults.length > 0;
  const notes = [...(isWrong ? [`${id}-fault`] : []), ...(hint === undefined ? [] : [`${id}-hint`])];
  const marks = html`id="${id}" name="${name}" ${notes.length === 0 ? "" : html`aria-describedby="${notes.join(" ")}"`}
  ${isWrong ? html`aria-invalid="true"` : ""}`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${typeof control === "function" ? control(marks) : html`<input ${marks} ${control} />`} ${renderFaults(id, faults)}
    ${hint === undefined ? "" : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

/** @param id The id of the invalid control or group. */
export function renderFaults(id: string, faults: Faults): Html {
  const list = [faults ?? []].flat();
  if (list.length < 2)
    return html`${list.map((fault) => html`<p class="fault" id="${id}-fault" role="alert">${fault}</p>`)}`;
  return html`<ul class="fault" id="${id}-fault" role="alert">
    ${list.map((fault) => html`<li>${fault}</li>`)}
  </ul>`;
}

/** Confirmations shown after a form submission, keyed by the `done` query parameter, as in `?done=closed`. */
export type DoneWords = ReadonlyMap<string, string>;

/** @param word The `done` parameter. Any site can set it in a link, so the page never shows the word itself. */
export function renderDone(words: DoneWords, word: string | undefined): Html {
  const sentence = words.get(word ?? "");
  return sentence === undefined ? html`` : html`<p class="notice good" role="status">${sentence}</p>`;
}

type CodeBlock = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Whether the text contains a placeholder, in which case the block has no Copy button. */
  readonly isToFillIn?: boolean;
};

/** Renders text with a Copy button. Long lines scroll. */
export function renderCodeBlock({ id, title, text, isToFillIn = false }: CodeBlock): Html {
  return html`<div class="stack code-block">
    <div class="row spread">
      <p id="${id}-title">${title}</p>
      ${isToFillIn ? "" : html`<button type="button" class="small" data-copy="${text}">Copy<span class="unseen"> ${title}</span></button>`}
    </div>
    <pre id="${id}" tabindex="0" role="group" aria-labelledby="${id}-title"><code>${text}</code></pre>
  </div>`;
}

type Table = {
  /** The scrollable element's attributes. */
  readonly region: Html;
  readonly className?: string;
  /** Column names. `number` aligns a column to the right; `unseen` shows its name only to screen readers. */
  readonly columns: Readonly<Record<string, "" | "number" | "unseen">>;
  readonly rows: readonly Html[];
};

/** Renders a table. On narrow screens, each row becomes a block, so cells need their column name as `data-name`. */
export function renderTable({ region, className = "", columns, rows }: Table): Html {
  return html`<div class="card table" ${region}>
    <table class="stacked ${className}">
      <thead>
        <tr>
          ${Object.entries(columns).map(([name, kind]) =>
            kind === "unseen"
              ? html`<th scope="col"><span class="unseen">${name}</span></th>`
              : html`<th scope="col" class="${kind}">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

type Paging = {
  readonly isFirst: boolean;
  /** Start of the next page; undefined on the last page. */
  readonly next: string | undefined;
  readonly toUrl: (start?: string) => string;
};

/** Renders links to a list's first and next pages. */
export function renderPaging(
  label: string,
  { isFirst, next, toUrl }: Paging,
  words: readonly [first: string, next: string] = ["First page", "Next page"],
): Html {
  if (next === undefined && isFirst) return html``;
  return html`<nav class="row" aria-label="${label}">
    ${isFirst ? "" : html`<a class="button" href="${toUrl()}">${words[0]}</a>`}
    ${next === undefined ? "" : html`<a class="button" href="${toUrl(next)}">${words[1]}</a>`}
  </nav>`;
}

/** Renders a secret that is shown only once. */
export function renderSecret(id: string, name: string, secret: string): Html {
  return html`<div class="field">
    <h2 id="${id}">${name}</h2>
    <div class="row">
      <code class="secret">${secret}</code>
      <button type="button" data-copy="${secret}">Copy <span class="unseen">the ${name.toLowerCase()}</span></button>
    </div>
  </div>`;
}

/** Renders a browser's id. Programs can look up the browser by its id, but not control it. */
export function renderId(id: string): Html {
  return html`<span class="id">
    <code>${id}</code>
    <button type="button" class="small" data-copy="${id}">Copy<span class="unseen"> id</span></button>
  </span>`;
}

/**
 * Renders a browser's tags.
 * @param options.max Maximum number of tags shown; further tags appear as a count. @param options.toUrl Returns a tag's
 * URL.
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
  /** Label of the button that opens the confirmation. */
  readonly ask: string;
  /** Describes the consequences. */
  readonly text: string;
  /** Label of the button that confirms. */
  readonly act: string;
  readonly path: string;
  /** Set if the user has to enter their own password. Contains the password's validation error. */
  readonly password?: { readonly fault: string | undefined };
};

/** Renders a button that asks for confirmation before submitting its form. */
export function renderQuestion(frame: Frame, { ask, text, act, path, password }: Question): Html {
  const content = html`<p>${text}</p>
    ${password === undefined ? "" : renderOwnPassword(path, password.fault)}
    <button type="submit" class="danger">${act}</button>`;
  return html`<details class="asks" ${password?.fault === undefined ? "" : "open"}>
    <summary class="button">${ask}</summary>
    ${renderForm(frame, path, content, { className: "stack" })}
  </details>`;
}

function renderOwnPassword(path: string, fault: string | undefined): Html {
  return renderField({
    name: "password",
    // A page can contain several of these fields.
    id: `password-for-${path.slice(path.lastIndexOf("/") + 1)}`,
    label: "Your password",
    faults: fault,
    control: html`type="password" autocomplete="current-password" required`,
  });
}

/**
 * Renders plans as options of a select element, with "none" first.
 * @param chosen A plan's name or `none`; empty if nothing is chosen. A plan that no longer exists remains selectable.
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
