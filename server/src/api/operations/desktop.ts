import type { Handlers } from "../../contract/operation.ts";
import type { Desktops } from "../../services/desktops/desktops.ts";

/** The operations that start and stop the remote desktops of browsers. */
export function newDesktopHandlers(desktops: Desktops): Pick<Handlers, "startRemoteDesktop" | "stopRemoteDesktop"> {
  return {
    async startRemoteDesktop({ account, body, base }) {
      const { passwords, url, rfbUrl } = await desktops.start(account, body.address, base);
      const { full: password, viewOnly: viewPassword } = passwords;
      return { status: 200, body: { status: 200, password, viewPassword, url, rfbUrl } };
    },

    async stopRemoteDesktop({ account, body }) {
      await desktops.stop(account, body.address);
      return { status: 200, body: { status: 200 } };
    },
  };
}
