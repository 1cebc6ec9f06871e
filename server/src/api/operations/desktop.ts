import { readSelector } from "../../domain/browser/selector.ts";
import type { Handlers } from "../../contract/operation.ts";
import type { Fleet } from "../../ports/fleet.ts";

/** Handles the operations that start and stop browsers' remote desktops. */
export function newDesktopHandlers(fleet: Fleet): Pick<Handlers, "startRemoteDesktop" | "stopRemoteDesktop"> {
  return {
    async startRemoteDesktop({ account, body, base }) {
      const { passwords, url, rfbUrl } = await fleet.startDesktop(account, readSelector(body), base);
      const { full: password, viewOnly: viewPassword } = passwords;
      return { status: 200, body: { status: 200, password, viewPassword, url, rfbUrl } };
    },

    async stopRemoteDesktop({ account, body }) {
      await fleet.stopDesktop(account, readSelector(body));
      return { status: 200, body: { status: 200 } };
    },
  };
}
