import { html } from "hono/html";
import { KIND_WORDS } from "../../../domain/browser/browser-kind.ts";
import { END_WORDS } from "../../../domain/browser/end.ts";
import { PageError } from "../../kit/errors.ts";
import type { EndedBrowser, EndedCursor } from "../../../ports/usage-store.ts";
import { renderMoment, toNumber, toSpan } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import type { UsageNeeds } from "./usage.ts";

const PAGE_LENGTH = 50;
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,100})$/;

/** Closed browsers, most recent first. */
export function mountHistory({ user }: Guards, { reports }: UsageNeeds): void {
  user.get("/dashboard/history", async (context) => {
    const before = context.c.req.query("before");
    const after = before === undefined ? undefined : readCursorOrThrow(before);
    const { browsers, hasMore } = await reports.ended(context.account, after, PAGE_LENGTH);
    const next = hasMore ? browsers.at(-1) : undefined;
    return context.show({
      title: "History",
      current: "/dashboard/history",
      styles: ["dashboard/usage/usage.css"],
      main: html`<h1>History</h1>
        ${browsers.length > 0 ? renderEnded(browsers) : after === undefined ? renderEmpty(context.frame) : renderEnd()}
        ${renderPaging(context.frame, after !== undefined, next)}`,
    });
  });
}

function readCursorOrThrow(text: string): EndedCursor {
  const cursor = readCursor(text);
  if (cursor !== undefined) return cursor;
  throw new PageError(400, "Page not found", "This link to a page of your history is not valid. Open History again.");
}

function renderEnded(browsers: readonly EndedBrowser[]): Html {
  return html`<div class="card table" tabindex="0" role="region" aria-label="Closed browsers">
    <table class="history stacked">
      <thead>
        <tr>
          <th scope="col">Browser</th>
          <th scope="col">Closed</th>
          <th scope="col">Opened</th>
          <th scope="col">Open for</th>
          <th scope="col">Reason</th>
          <th scope="col" class="number">Units</th>
        </tr>
      </thead>
      <tbody>
        ${browsers.map(renderRow)}
      </tbody>
    </table>
  </div>`;
}

function renderRow({ label, kind, openedAt, closedAt, reason, units }: EndedBrowser): Html {
  return html`<tr>
    <th scope="row">
      ${label === undefined || label === "" ? html`<span class="fine">No label</span>` : label}
      <span class="kind">${KIND_WORDS[kind]}</span>
    </th>
    <td class="moment" data-name="Closed">${renderMoment(closedAt)}</td>
    <td class="moment" data-name="Opened">${renderMoment(openedAt)}</td>
    <td class="moment" data-name="Open for">${toSpan(closedAt.getTime() - openedAt.getTime())}</td>
    <td data-name="Reason">${END_WORDS[reason]}</td>
    <td class="number" data-name="Units">${toNumber(units)}</td>
  </tr>`;
}

function renderPaging(frame: Frame, isFurther: boolean, last: EndedBrowser | undefined): Html {
  if (!isFurther && last === undefined) return html``;
  const newest = frame.to("/dashboard/history");
  return html`<nav class="row" aria-label="History pages">
    ${isFurther ? html`<a class="button" href="${newest}">Newest</a>` : ""}
    ${last === undefined ? "" : html`<a class="button" href="${newest}?before=${writeCursor(last)}">Older</a>`}
  </nav>`;
}

function renderEnd(): Html {
  return html`<p>No older browsers.</p>`;
}

function renderEmpty(frame: Frame): Html {
  return html`<section class="card empty">
    <h2>No closed browsers yet</h2>
    <p>When a browser closes, this page shows how long it was open, why it closed, and how many units it used.</p>
    <p><a class="button primary" href="${frame.to("/dashboard/quick-start")}">Open your first browser</a></p>
  </section>`;
}

/**
 * The URL parameter of the next page. It is a position in the user's own history, so users can't read others with it.
 */
function writeCursor({ closedAt, id }: EndedCursor): string {
  return Buffer.from(`${closedAt.toISOString()} ${id}`).toString("base64url");
}

/** @returns Undefined if the text is not a cursor. */
function readCursor(text: string): EndedCursor | undefined {
  const [, at = "", id = ""] = CURSOR.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const closedAt = new Date(at);
  if (Number.isNaN(closedAt.getTime()) || writeCursor({ closedAt, id }) !== text) return undefined;
  return { closedAt, id };
}
