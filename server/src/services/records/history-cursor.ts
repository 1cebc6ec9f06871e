import { Failure } from "../../domain/failure.ts";

/** The last browser of a page, with the moment that its part is ordered by. */
export type HistoryCursor = { readonly part: "open" | "ended"; readonly at: Date; readonly id: string };

/** The state of the account's browsers that all pages of a history show. */
export type HistoryView = {
  /** When the first page was read. Browsers that open later aren't listed. */
  readonly readAt: Date;
  /** Browsers that ended before are listed by their end, and the others as open. */
  readonly endedBefore: Date;
};

const CURSOR = /^(\d{1,15})\.(\d{1,15})\.(open|ended)\.(\d{1,15})\.([\w-]{1,64})$/;

export function toCursorText({ readAt, endedBefore }: HistoryView, { part, at, id }: HistoryCursor): string {
  return [readAt.getTime(), endedBefore.getTime(), part, at.getTime(), id].join(".");
}

/** @throws {Failure} `BadRequest` for a text that isn't a cursor. */
export function readCursor(text: string): HistoryView & { readonly after: HistoryCursor } {
  const [, readAt, endedBefore, part, at, id = ""] = CURSOR.exec(text) ?? [];
  if (part !== "open" && part !== "ended") {
    const message = "must be `next` of an earlier response";
    throw new Failure("BadRequest", `The request is not valid: cursor ${message}.`, {
      errors: [{ path: "/cursor", message }],
    });
  }
  const toDate = (ms: string | undefined): Date => new Date(Number(ms));
  return { readAt: toDate(readAt), endedBefore: toDate(endedBefore), after: { part, at: toDate(at), id } };
}
