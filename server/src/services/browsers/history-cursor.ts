import { Failure } from "../../domain/failure.ts";

/** The last browser of a page: one that was open when the first page was read, by its opening, or one that had ended, by its end. */
export type HistoryPlace = { readonly part: "open" | "ended"; readonly at: Date; readonly id: string };

/** Where a page of the history begins. */
export type HistoryCursor = {
  /** When the first page was read. */
  readonly asOf: Date;
  /** Undefined: at the beginning. */
  readonly after: HistoryPlace | undefined;
};

const CURSOR = /^(\d{1,15})\.(open|ended)\.(\d{1,15})\.([\w-]{1,64})$/;

export function toCursorText({ asOf, after }: HistoryCursor & { readonly after: HistoryPlace }): string {
  return [asOf.getTime(), after.part, after.at.getTime(), after.id].join(".");
}

/** @throws {Failure} `BadRequest` for a text that isn't a cursor. */
export function readCursor(text: string): HistoryCursor {
  const [, asOf, part, at, id = ""] = CURSOR.exec(text) ?? [];
  if (part !== "open" && part !== "ended") {
    const message = "must be `next` of an earlier response";
    throw new Failure("BadRequest", `The request is not valid: cursor ${message}.`, {
      errors: [{ path: "/cursor", message }],
    });
  }
  return { asOf: new Date(Number(asOf)), after: { part, at: new Date(Number(at)), id } };
}
