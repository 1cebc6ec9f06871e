import { OPERATIONS } from "./generated/operations.ts";
import type { components } from "./generated/types.ts";
import { printedWithoutSecrets } from "./printed.ts";
import { readMembers } from "./read-members.ts";

type WireRecord = components["schemas"]["BrowserRecord"];

/**
 * A browser in the history, open or ended. What does not exist any more when a browser has ended is `null` or 0. Logs
 * show it without the address's id and the password.
 */
export type BrowserRecord = Readonly<
  Omit<WireRecord, "startedOn" | "endedOn" | "closesOn"> & {
    /** When the browser was opened. */
    startedOn: Date;
    /** When it ended; `null` while it is open. */
    endedOn: Date | null;
    /** When it closes if nothing happens before; `null` if that is not known, or if it has ended. */
    closesOn: Date | null;
  }
>;

/** @throws {InvalidAnswerError} When a time isn't valid. */
export function toBrowserRecord(wire: WireRecord): BrowserRecord {
  const record = readMembers(OPERATIONS.getBrowserInfo.answer, wire) as BrowserRecord;
  return printedWithoutSecrets(record, ["vncpass"]);
}
