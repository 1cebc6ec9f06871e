import { html } from "hono/html";
import { KIND_WORDS } from "../../../domain/browser/browser-kind.ts";
import { END_WORDS } from "../../../domain/browser/end.ts";
import { PageError } from "../../kit/errors.ts";
import { isVisible } from "../../../domain/account/visible-text.ts";
import type { EndedBrowser, EndedCursor } from "../../../ports/store/usage-store.ts";
import { renderField, renderId, renderPaging, renderTable, renderTags } from "../../kit/components.ts";
import { renderMoment, toCount, toNumber, toSpan } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import { withQuery } from "../../kit/paths.ts";
import type { PageServices } from "../../kit/page-services.ts";

const PAGE_LENGTH = 50;
/** Maximum number of tags in a row. Further tags are collapsed. */
const MAX_TAGS = 5;
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,100})$/;

const PATH = "/dashboard/history";

/** The exact label and tag of the browsers to show. Undefined matches any browser. */
type Wanted = { readonly label: string | undefined; readonly tag: string | undefined };

/** Mounts the list of closed browsers, most recent first. */
export function mountHistory({ user }: Guards, { reports, records }: PageServices): void {
  user.get(PATH, async (context) => {
    const { frame, c } = context;
    const before = c.req.query("before");
    const after = before === undefined ? undefined : readCursor(before);
    // An empty field matches any browser.
    const wanted = { label: c.req.query("label") || undefined, tag: c.req.query("tag") || undefined };
    const { browsers, hasMore } = await reports.ended(context.account, after, PAGE_LENGTH, wanted);
    const last = hasMore ? browsers.at(-1) : undefined;
    const paging = {
      isFirst: after === undefined,
      next: last && writeCursor(last),
      toUrl: (start?: string) => toUrl(frame, wanted, start),
    };
    const isEmpty = browsers.length === 0 && after === undefined && !isFiltered(wanted);
    return context.show({
      title: "History",
      current: PATH,
      styles: ["dashboard/usage/usage.css"],
      main: html`<h1>History</h1>
        ${isEmpty ? renderEmpty(frame) : renderFilter(frame, wanted)}
        ${browsers.length > 0 ? renderEnded(frame, browsers) : isEmpty ? "" : renderNone(wanted, after !== undefined)}
        ${renderPaging("History pages", paging, ["Newest", "Older"])} ${renderKeptSince(records.keptSince)}`,
    });
  });
}

function isFiltered({ label, tag }: Wanted): boolean {
  return label !== undefined || tag !== undefined;
}

/** Returns the URL of a history page. */
function toUrl(frame: Frame, { label, tag }: Wanted, before?: string): string {
  return frame.to(withQuery(PATH, { label, tag, before }));
}

function renderFilter(frame: Frame, wanted: Wanted): Html {
  const renderInput = (name: keyof Wanted, label: string): Html =>
    renderField({
      name,
      label,
      control: html`type="text" dir="auto" autocomplete="off" spellcheck="false" value="${wanted[name] ?? ""}"`,
    });
  return html`<form method="get" action="${frame.to(PATH)}" class="filter" role="search" aria-label="Closed browsers">
    ${renderInput("label", "Label")} ${renderInput("tag", "Tag")}
    <button type="submit">Filter</button>
    ${isFiltered(wanted) ? html`<a class="button" href="${frame.to(PATH)}">Show all</a>` : ""}
  </form>`;
}

/** Explains why a page is empty. */
function renderNone(wanted: Wanted, isFurther: boolean): Html {
  if (!isFiltered(wanted)) return html`<p>No older browsers.</p>`;
  const { label, tag } = wanted;
  const conditions = [
    ...(label === undefined ? [] : [html`the label <strong><bdi>${label}</bdi></strong>`]),
    ...(tag === undefined ? [] : [html`the tag <strong><bdi>${tag}</bdi></strong>`]),
  ];
  return html`<div class="card">
    <p>
      No ${isFurther ? "older" : "closed"} browsers with
      ${conditions.map((one, index) => html`${index === 0 ? "" : " and "}${one}`)}.
    </p>
    <p class="fine">
      Labels and tags must match exactly, including upper and lower case. Open browsers are listed under Browsers.
    </p>
  </div>`;
}

function renderKeptSince(keptSince: Date | undefined): Html {
  if (keptSince === undefined) return html``;
  return html`<p class="fine">
    Browsers that closed before ${renderMoment(keptSince)} have been deleted from this list.
  </p>`;
}

function renderEnded(frame: Frame, browsers: readonly EndedBrowser[]): Html {
  return renderTable({
    region: html`tabindex="0" role="region" aria-label="Closed browsers"`,
    className: "history",
    columns: { Browser: "", Closed: "", Opened: "", "Open for": "", Reason: "", Units: "number" },
    rows: browsers.map((browser) => renderRow(frame, browser)),
  });
}

function renderRow(frame: Frame, browser: EndedBrowser): Html {
  const { id, label, tags, kind, openedAt, closedAt, reason, units } = browser;
  return html`<tr>
    <th scope="row">
      ${label === undefined || !isVisible(label) ? html`<span class="fine">No label</span>` : html`<bdi>${label}</bdi>`}
      <span class="fine kind">${KIND_WORDS[kind]}</span>
      ${renderTagLinks(frame, tags)} ${renderId(id)}
    </th>
    <td class="moment" data-name="Closed">${renderMoment(closedAt)}</td>
    <td class="moment" data-name="Opened">${renderMoment(openedAt)}</td>
    <td class="moment" data-name="Open for">${toSpan(closedAt.getTime() - openedAt.getTime())}</td>
    <td data-name="Reason">${END_WORDS[reason]}</td>
    <td class="number" data-name="Units">${toNumber(units)}</td>
  </tr>`;
}

/** Renders tags as links to the browsers that have them. */
function renderTagLinks(frame: Frame, tags: readonly string[]): Html {
  const options = { toUrl: (tag: string): string => toUrl(frame, { label: undefined, tag }) };
  if (tags.length <= MAX_TAGS) return renderTags(tags, options);
  return html`${renderTags(tags.slice(0, MAX_TAGS), options)}
    <details>
      <summary class="fine">${toCount(tags.length - MAX_TAGS, "more tag")}</summary>
      ${renderTags(tags.slice(MAX_TAGS), options)}
    </details>`;
}

function renderEmpty(frame: Frame): Html {
  return html`<section class="card empty">
    <h2>No closed browsers yet</h2>
    <p>When a browser closes, this page shows how long it was open, why it closed, and how many units it used.</p>
    <p><a class="button primary" href="${frame.to("/dashboard/quick-start")}">Open your first browser</a></p>
  </section>`;
}

/**
 * Returns the next page's URL parameter: a position in the user's own history, which reveals nothing about other users.
 */
function writeCursor({ closedAt, id }: EndedCursor): string {
  return Buffer.from(`${closedAt.toISOString()} ${id}`).toString("base64url");
}

/** @throws {PageError} 400 if the text is not a cursor. */
function readCursor(text: string): EndedCursor {
  const [, at = "", id = ""] = CURSOR.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const closedAt = new Date(at);
  if (!Number.isNaN(closedAt.getTime()) && writeCursor({ closedAt, id }) === text) return { closedAt, id };
  throw new PageError(400, "Page not found", "This link to a page of your history is not valid. Open History again.");
}
