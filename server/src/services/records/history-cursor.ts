import { badRequest } from "../../domain/failure.ts";

/** The last browser on a page. `at` is the timestamp that its `part` is sorted by. */
export type HistoryCursor = { readonly part: "open" | "ended"; readonly at: Date; readonly id: string };

/** The snapshot that all pages of a history show. */
export type HistoryView = {
  /** The time at which the first page was read. Browsers opened later aren't listed. */
  readonly readAt: Date;
  /** Browsers that ended before this time are listed as ended, and all others as open. */
  readonly endedBefore: Date;
};

const CURSOR = /^(\d{1,15})\.(\d{1,15})\.(open|ended)\.(\d{1,15})\.([\w-]{1,64})$/;

export function toCursorText({ readAt, endedBefore }: HistoryView, { part, at, id }: HistoryCursor): string {
  return [readAt.getTime(), endedBefore.getTime(), part, at.getTime(), id].join(".");
}

/** @throws {Failure} `BadRequest` if the text isn't a cursor. */
export function readCursor(text: string): HistoryView & { readonly after: HistoryCursor } {
  const [, readAt, endedBefore, part, at, id = ""] = CURSOR.exec(text) ?? [];
  if (part !== "open" && part !== "ended") {
    throw badRequest("/cursor", "The request is not valid: cursor", "must be `next` of an earlier response");
  }
  const toDate = (ms: string | undefined): Date => new Date(Number(ms));
  return { readAt: toDate(readAt), endedBefore: toDate(endedBefore), after: { part, at: toDate(at), id } };
}
