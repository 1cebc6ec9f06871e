import { Failure } from "../domain/failure.ts";
import type { Handlers } from "../http/operation.ts";
import type { Browsers } from "../services/browsers.ts";

/** The operations on remote desktops, which this deployment does not offer: none can be started, all are stopped. */
export function remoteDesktopHandlers(browsers: Browsers): Pick<Handlers, "startRemoteDesktop" | "stopRemoteDesktop"> {
  return {
    async startRemoteDesktop({ account, body }) {
      browsers.find(account, body.address);
      throw new Failure("DesktopUnavailable", "This deployment does not offer remote desktops.");
    },

    async stopRemoteDesktop({ account, body }) {
      browsers.find(account, body.address);
      return { status: 200, body: { status: 200 } };
    },
  };
}
