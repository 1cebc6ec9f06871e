import { BrowserHandle, type Service } from "./browser-handle.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { components } from "./generated/types.ts";
import { printedWithoutSecrets } from "./printed.ts";
import { readMembers } from "./read-members.ts";

type WireSession = components["schemas"]["Session"];

/**
 * An open browser in the account's list, with the methods of a handle. Services with earlier contract versions don't
 * send the optional members. A logged session hides the password and the id in its address.
 */
export type Session = BrowserHandle &
  Readonly<
    Omit<WireSession, "startedOn" | "closesOn"> & {
      /** When the browser was opened. */
      startedOn: Date;
      /**
       * When the browser will close if nothing changes: at the end of the inactivity period or lifetime, whichever
       * comes first. `null` if the lifetime is unlimited, and the period is unlimited or a client is connected.
       */
      closesOn?: Date | null;
    }
  >;

/** @throws {InvalidAnswerError} If a timestamp is invalid. */
export function toSession(service: Service, wire: WireSession): Session {
  const members = readMembers(OPERATIONS.getBrowsers.answer.properties.sessions.items, wire);
  const session: BrowserHandle & object = Object.assign(new BrowserHandle(wire, service), members);
  return printedWithoutSecrets(session as Session, ["vncpass"]);
}
