import type { components } from "./generated/types.ts";
import { printedWithoutSecrets } from "./printed.ts";
import { InvalidAnswerError } from "./remote-browser-error.ts";

type WireSession = components["schemas"]["Session"];

/** An open browser in the account's list. Logs show it without the address's id and the password. */
export type Session = Readonly<
  Pick<WireSession, "label" | "address" | "vncpass"> & {
    /** When the browser was opened. */
    startedOn: Date;
  }
>;

/** @throws {InvalidAnswerError} When `startedOn` isn't a valid time. */
export function toSession({ startedOn, label, address, vncpass }: WireSession): Session {
  const time = new Date(startedOn);
  if (Number.isNaN(time.getTime())) {
    throw new InvalidAnswerError("A browser in the list has a startedOn that isn't a valid time.");
  }
  return printedWithoutSecrets({ startedOn: time, label, address, vncpass }, ["vncpass"]);
}
