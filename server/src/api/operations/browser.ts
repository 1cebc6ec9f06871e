import { readOpenOptions } from "../../domain/browser/open-options.ts";
import type { Handlers } from "../../contract/operation.ts";
import type { Browsers } from "../../services/browsers/browsers.ts";
import type { Desktops } from "../../services/desktops/desktops.ts";

/** The operations that open, close and list browsers. */
export function newBrowserHandlers(
  browsers: Browsers,
  desktops: Desktops,
): Pick<Handlers, "openBrowser" | "closeBrowser" | "getBrowsers"> {
  return {
    async openBrowser({ account, body, base, signal }) {
      const { address } = await browsers.open(account, readOpenOptions(body ?? {}), base, signal);
      return { status: 200, body: { status: 200, address } };
    },

    async closeBrowser({ account, body }) {
      await browsers.find(account, body.address).close("requested");
      return { status: 200, body: { status: 200 } };
    },

    async getBrowsers({ account }) {
      const sessions = browsers.list(account).map((browser) => ({
        startedOn: browser.openedAt.toISOString(),
        label: browser.label ?? null,
        address: browser.address,
        vncpass: desktops.passwordOf(browser) ?? null,
      }));
      return { status: 200, body: { sessions } };
    },
  };
}
