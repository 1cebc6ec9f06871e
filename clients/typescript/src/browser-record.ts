import { OPERATIONS } from "./generated/operations.ts";
import type { components } from "./generated/types.ts";
import { printedWithoutSecrets } from "./printed.ts";
import { readMembers } from "./read-members.ts";

type WireRecord = components["schemas"]["BrowserRecord"];

/**
 * An open or ended browser in the history. Once a browser has ended, members that describe its current state are `null`
 * or 0. A logged record hides the password and the id in its address.
 */
export type BrowserRecord = Readonly<
  Omit<WireRecord, "startedOn" | "endedOn" | "closesOn"> & {
    /** When the browser was opened. */
    startedOn: Date;
    /** When the browser ended; `null` while it is open. */
    endedOn: Date | null;
    /** Expected closing time if nothing changes; `null` if the time is unknown or the browser has ended. */
    closesOn: Date | null;
  }
>;

/** @throws {InvalidAnswerError} If a timestamp is invalid. */
export function toBrowserRecord(wire: WireRecord): BrowserRecord {
  const record = readMembers(OPERATIONS.getBrowserInfo.answer, wire) as BrowserRecord;
  return printedWithoutSecrets(record, ["vncpass"]);
}
