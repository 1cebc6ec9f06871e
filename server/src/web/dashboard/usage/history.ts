import { html } from "hono/html";
import { KIND_WORDS } from "../../../domain/browser/browser-kind.ts";
import { END_WORDS } from "../../../domain/browser/end.ts";
import { PageError } from "../../kit/errors.ts";
import type { EndedBrowser, EndedCursor } from "../../../services/accounts/usage-reports.ts";
import { renderMoment, toNumber, toSpan } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import { readCursor, writeCursor } from "./history-cursor.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import type { UsageNeeds } from "./usage.ts";

const BROWSERS_A_PAGE = 50;

/** Browsers that have ended, the last one first. */
export function mountHistory({ member }: Guards, { reports }: UsageNeeds): void {
  member.get("/dashboard/history", async (context) => {
    const before = context.c.req.query("before");
    const behind = before === undefined ? undefined : toCursor(before);
    const { browsers, hasMore } = await reports.ended(context.account, behind, BROWSERS_A_PAGE);
    const next = hasMore ? browsers.at(-1) : undefined;
    return context.show({
      title: "History",
      current: "/dashboard/history",
      styles: ["dashboard/usage/usage.css"],
      main: html`<h1>History</h1>
        ${browsers.length > 0 ? renderEnded(browsers) : behind === undefined ? renderEmpty(context.frame) : renderEnd()}
        ${renderTurns(context.frame, behind !== undefined, next)}`,
    });
  });
}

function toCursor(text: string): EndedCursor {
  const cursor = readCursor(text);
  if (cursor !== undefined) return cursor;
  throw new PageError(400, "No such page", "The address names no page of the history: open History anew.");
}

function renderEnded(browsers: readonly EndedBrowser[]): Html {
  return html`<div class="card table" tabindex="0" role="region" aria-label="Browsers that have ended">
    <table class="history stacked">
      <thead>
        <tr>
          <th scope="col">Browser</th>
          <th scope="col">Ended</th>
          <th scope="col">Started</th>
          <th scope="col">Open for</th>
          <th scope="col">Why it ended</th>
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
    <td class="moment" data-name="Ended">${renderMoment(closedAt)}</td>
    <td class="moment" data-name="Started">${renderMoment(openedAt)}</td>
    <td class="moment" data-name="Open for">${toSpan(closedAt.getTime() - openedAt.getTime())}</td>
    <td data-name="Why it ended">${END_WORDS[reason]}</td>
    <td class="number" data-name="Units">${toNumber(units)}</td>
  </tr>`;
}

function renderTurns(frame: Frame, isFurther: boolean, last: EndedBrowser | undefined): Html {
  if (!isFurther && last === undefined) return html``;
  const newest = frame.to("/dashboard/history");
  return html`<nav class="row" aria-label="Pages of the history">
    ${isFurther ? html`<a class="button" href="${newest}">Newest</a>` : ""}
    ${last === undefined ? "" : html`<a class="button" href="${newest}?before=${writeCursor(last)}">Older</a>`}
  </nav>`;
}

function renderEnd(): Html {
  return html`<p>No older browsers.</p>`;
}

function renderEmpty(frame: Frame): Html {
  return html`<section class="card empty">
    <h2>No browser has ended yet</h2>
    <p>Each one that ends is listed here: how long it was open, why it ended, and what it cost.</p>
    <p><a class="button primary" href="${frame.to("/dashboard/quick-start")}">Open a first one</a></p>
  </section>`;
}
