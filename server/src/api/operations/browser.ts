import { readOpenOptions } from "../../domain/browser/open-options.ts";
import type { Handlers } from "../../contract/operation.ts";
import type { Fleet } from "../../ports/fleet.ts";

/** The operations that open, close and list browsers. */
export function newBrowserHandlers(fleet: Fleet): Pick<Handlers, "openBrowser" | "closeBrowser" | "getBrowsers"> {
  return {
    async openBrowser({ account, body, base, signal }) {
      const address = await fleet.open(account, readOpenOptions(body ?? {}), base, signal);
      return { status: 200, body: { status: 200, address } };
    },

    async closeBrowser({ account, body }) {
      await fleet.close(account, body.address);
      return { status: 200, body: { status: 200 } };
    },

    async getBrowsers({ account }) {
      const sessions = (await fleet.list(account)).map(({ openedAt, label, address, desktopPassword }) => ({
        startedOn: openedAt.toISOString(),
        label: label ?? null,
        address,
        vncpass: desktopPassword ?? null,
      }));
      return { status: 200, body: { sessions } };
    },
  };
}
