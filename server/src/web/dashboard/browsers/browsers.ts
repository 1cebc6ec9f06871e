import type { Context } from "hono";
import { DESKTOP_PATH } from "../../../domain/browser/desktop.ts";
import { PageRefusal } from "../../kit/page-refusal.ts";
import type { Browsers } from "../../../services/browsers/browsers.ts";
import type { Capacity } from "../../../services/browsers/capacity.ts";
import type { Desktops } from "../../../services/desktops/desktops.ts";
import type { OpenBrowser } from "../../../services/browsers/open-browser.ts";
import type { Thumbnails } from "../../../services/browsers/thumbnails.ts";
import type { Subscriptions } from "../../../services/accounts/subscriptions.ts";
import type { UsageReports } from "../../../services/accounts/usage-reports.ts";
import { BROWSERS_PATH } from "./browsers-card.ts";
import { renderBrowsers } from "./browsers-view.ts";
import type { Guards } from "../../kit/guards.ts";
import { type EventNeeds, mountEvents } from "./events.ts";
import type { MemberContext } from "../../kit/page-context.ts";

/** Of the browsers that have ended, those that somebody may still see a button for. */
const JUST_ENDED = 50;

export type BrowsersNeeds = EventNeeds & {
  readonly browsers: Browsers;
  readonly desktops: Desktops;
  readonly thumbnails: Thumbnails;
  readonly subscriptions: Pick<Subscriptions, "read">;
  readonly capacity: Pick<Capacity, "limit">;
  readonly reports: Pick<UsageReports, "ended">;
  readonly baseOf: (c: Context) => URL;
  readonly now: () => Date;
};

/** The account's open browsers: what they show, who is connected, their desktops, and their end. */
export function mountBrowsers(doors: Guards, needs: BrowsersNeeds): void {
  const { browsers, desktops, thumbnails, subscriptions, capacity, reports, baseOf } = needs;
  const { member } = doors;

  member.get("/dashboard", async (context) => {
    const { account, frame, c } = context;
    const now = needs.now();
    const allowance = await subscriptions.read(account);
    const cards = browsers
      .list(account)
      .map((browser) => ({ browser, isDesktopStarted: desktops.isStarted(browser), now }));
    const overview = { cards, allowance, capacity: capacity.limit, now };
    return context.show({
      title: "Browsers",
      current: "/dashboard",
      main: renderBrowsers(frame, overview, c.req.query("done")),
      scripts: ["dashboard/browsers/browsers.js"],
      styles: ["dashboard/browsers/browsers.css"],
    });
  });

  member.get(`${BROWSERS_PATH}/:id/picture`, async (context) => {
    const { c } = context;
    const { signal } = c.req.raw;
    const picture = await thumbnails.take(find(context), signal).catch((error: unknown) => {
      // Nobody waits for it any more.
      if (signal.aborted) return undefined;
      throw error;
    });
    const headers = { "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin" };
    if (picture === undefined) return c.body(null, 404, headers);
    const bytes = new Uint8Array(picture.bytes);
    return c.body(bytes, 200, { ...headers, "Content-Type": picture.type, "X-Content-Type-Options": "nosniff" });
  });

  member.post(`${BROWSERS_PATH}/:id/desktop`, async (context) => {
    const { url } = await desktops.start(context.account, find(context).address, baseOf(context.c));
    // It may have been started under another name of this host, which the page's forms must not lead to.
    const { pathname, hash } = new URL(url);
    return context.goTo(pathname.slice(pathname.lastIndexOf(DESKTOP_PATH)) + hash);
  });

  member.post(`${BROWSERS_PATH}/:id/desktop/stop`, async (context) => {
    await desktops.stop(context.account, find(context).address);
    return context.goTo("/dashboard?done=stopped");
  });

  member.post(`${BROWSERS_PATH}/:id/close`, async (context) => {
    // Who clicks twice, or in two windows, has what they wanted.
    if (look(context) !== undefined || !(await isEnded(context))) await find(context).close("requested");
    return context.goTo("/dashboard?done=closed");
  });

  mountEvents(doors, needs);

  /** Whether it was the account's, and has ended not long ago. */
  async function isEnded({ account, c }: MemberContext): Promise<boolean> {
    const ended = await reports.ended(account, undefined, JUST_ENDED);
    return ended.browsers.some(({ id }) => id === c.req.param("id"));
  }

  /** @throws {PageRefusal} The same for one that has ended, another account's, and one that never was. */
  function find(context: MemberContext): OpenBrowser {
    const browser = look(context);
    if (browser !== undefined) return browser;
    throw new PageRefusal(404, "Not open", "This browser is not open: it has closed, or it is none of yours.");
  }

  function look({ account, c }: MemberContext): OpenBrowser | undefined {
    return browsers.list(account).find(({ id }) => id === c.req.param("id"));
  }
}
