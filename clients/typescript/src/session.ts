import { BrowserHandle, type Service } from "./browser-handle.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { components } from "./generated/types.ts";
import { printedWithoutSecrets } from "./printed.ts";
import { readMembers } from "./read-members.ts";

type WireSession = components["schemas"]["Session"];

/**
 * An open browser in the account's list, which has the methods of a handle too. Optional members are missing if the
 * service has an earlier version, which doesn't send them. Logs show a session without the address's id and the
 * password.
 */
export type Session = BrowserHandle &
  Readonly<
    Omit<WireSession, "startedOn" | "closesOn"> & {
      /** When the browser was opened. */
      startedOn: Date;
      /**
       * When it closes if nothing happens before: at the end of its inactivity period or of its lifetime, whichever
       * comes first. `null` if neither is limited, or if a client is connected and the lifetime is not limited.
       */
      closesOn?: Date | null;
    }
  >;

/** @throws {InvalidAnswerError} When a time isn't valid. */
export function toSession(service: Service, wire: WireSession): Session {
  const members = readMembers(OPERATIONS.getBrowsers.answer.properties.sessions.items, wire);
  const session: BrowserHandle & object = Object.assign(new BrowserHandle(wire, service), members);
  return printedWithoutSecrets(session as Session, ["vncpass"]);
}
