import { BrowserHandle, type Service } from "./browser-handle.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { components } from "./generated/types.ts";
import { printedWithoutSecrets } from "./printed.ts";
import { readMembers } from "./read-members.ts";

type WireSession = components["schemas"]["Session"];

/**
 * An open browser in the account's list, with the methods of a handle. Services of earlier contract versions don't send
 * the optional members. Logs don't show the address's id and the password.
 */
export type Session = BrowserHandle &
  Readonly<
    Omit<WireSession, "startedOn" | "closesOn"> & {
      /** When the browser was opened. */
      startedOn: Date;
      /**
       * The expected closing time if nothing changes: the end of the inactivity period or lifetime, whichever comes
       * first. `null` if neither is limited, or if a client is connected and the lifetime is not limited.
       */
      closesOn?: Date | null;
    }
  >;

/** @throws {InvalidAnswerError} If a time is invalid. */
export function toSession(service: Service, wire: WireSession): Session {
  const members = readMembers(OPERATIONS.getBrowsers.answer.properties.sessions.items, wire);
  const session: BrowserHandle & object = Object.assign(new BrowserHandle(wire, service), members);
  return printedWithoutSecrets(session as Session, ["vncpass"]);
}
