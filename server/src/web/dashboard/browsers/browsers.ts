import { DESKTOP_PATH } from "../../../domain/browser/desktop.ts";
import { toExtension } from "../../../domain/browser/extension.ts";
import { isFailure } from "../../../domain/failure.ts";
import type { Plan } from "../../../domain/plan/plan.ts";
import type { ListedBrowser } from "../../../ports/fleet.ts";
import { PageError } from "../../kit/errors.ts";
import { toSpan } from "../../kit/format.ts";
import { BROWSERS_PATH } from "./browsers-card.ts";
import { renderBrowsers } from "./browsers-view.ts";
import type { Guards } from "../../kit/guards.ts";
import { mountEvents } from "./events.ts";
import type { UserContext } from "../../kit/page-context.ts";
import type { PageServices } from "../../kit/page-services.ts";

/** Number of ended browsers to search. Other windows may still show buttons for browsers that have ended. */
const RECENTLY_ENDED = 50;

/** Mounts the page that lists the account's open browsers, and the routes for their pictures and buttons. */
export function mountBrowsers(guards: Guards, services: PageServices): void {
  const { fleet, subscriptions, capacity, reports, baseOf } = services;
  const { user } = guards;

  user.get("/dashboard", async (context) => {
    const { account, frame, c } = context;
    const now = services.now();
    const allowance = await subscriptions.read(account);
    const cards = (await fleet.list(account)).map((browser) => ({ browser, now, plan: allowance.plan }));
    const overview = { cards, allowance, capacity: capacity.limit, now };
    return context.show({
      title: "Browsers",
      current: "/dashboard",
      main: renderBrowsers(frame, overview, c.req.query("done")),
      scripts: ["dashboard/browsers/browsers.js"],
      styles: ["dashboard/browsers/browsers.css"],
      // The script loads new pictures itself, because it needs their headers.
      images: "blob:",
    });
  });

  user.get(`${BROWSERS_PATH}/:id/picture`, async (context) => {
    const { account, c } = context;
    const { signal } = c.req.raw;
    const taking = withBrowser(context, ({ address }) => fleet.takePicture(account, { address }, signal));
    const thumbnail = await taking.catch((error: unknown) => {
      // The client has disconnected.
      if (signal.aborted) return undefined;
      throw error;
    });
    const headers = { "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin" };
    if (thumbnail === undefined) return c.body(null, 404, headers);
    return c.body(new Uint8Array(thumbnail.bytes), 200, {
      ...headers,
      "Content-Type": thumbnail.type,
      "Last-Modified": thumbnail.takenAt.toUTCString(),
    });
  });

  user.post(`${BROWSERS_PATH}/:id/desktop`, async (context) => {
    const { account, c } = context;
    const { url } = await withBrowser(context, ({ address }) => fleet.startDesktop(account, { address }, baseOf(c)));
    // If the desktop was started under another host name, the form must not redirect to its URL.
    const { pathname, hash } = new URL(url);
    return context.goTo(pathname.slice(pathname.lastIndexOf(DESKTOP_PATH)) + hash);
  });

  user.post(`${BROWSERS_PATH}/:id/desktop/stop`, async (context) => {
    await withBrowser(context, ({ address }) => fleet.stopDesktop(context.account, { address }));
    return context.goTo("/dashboard?done=stopped");
  });

  user.post(`${BROWSERS_PATH}/:id/extend`, async (context) => {
    const { account } = context;
    const { plan } = await subscriptions.read(account);
    const id = await withBrowser(context, async (browser) => {
      const extension = plan && toExtension(browser, plan.maxLifetimeMs);
      if (extension === undefined) throw notExtendable(plan);
      await fleet.change(account, { id: browser.id }, extension);
      return browser.id;
    });
    // Users may extend a browser several times, so the page scrolls to the browser's card.
    return context.goTo(`/dashboard?done=extended#browser-${id}`);
  });

  user.post(`${BROWSERS_PATH}/:id/close`, async (context) => {
    const closing = withBrowser(context, ({ address }) => fleet.close(context.account, { address }));
    await closing.catch(async (error: unknown) => {
      // Closing a browser that has just closed succeeds, because users double-click or click in two windows.
      if (!(error instanceof PageError && (await isEnded(context)))) throw error;
    });
    return context.goTo("/dashboard?done=closed");
  });

  mountEvents(guards, services);

  /** Whether the path names one of this account's recently closed browsers. */
  async function isEnded({ account, c }: UserContext): Promise<boolean> {
    const ended = await reports.ended(account, undefined, RECENTLY_ENDED);
    return ended.browsers.some(({ id }) => id === c.req.param("id"));
  }

  /**
   * Calls `act` with the browser in the path.
   * @throws {PageError} The same 404 whether a browser has closed, belongs to another account or never existed.
   */
  async function withBrowser<T>({ account, c }: UserContext, act: (browser: ListedBrowser) => Promise<T>): Promise<T> {
    const browser = (await fleet.list(account)).find(({ id }) => id === c.req.param("id"));
    if (browser === undefined) throw notOpen();
    return act(browser).catch((error: unknown) => {
      throw isFailure(error, "BrowserNotFound") ? notOpen() : error;
    });
  }
}

function notExtendable(plan: Plan | undefined): PageError {
  const { maxLifetimeMs } = plan ?? {};
  return new PageError(
    409,
    "Browser not extended",
    maxLifetimeMs === undefined
      ? "You can extend only a browser that has a closing time, and only if you have a plan."
      : `Your plan allows a browser to stay open for ${toSpan(maxLifetimeMs)}.`,
  );
}

function notOpen(): PageError {
  return new PageError(404, "Browser not open", "This browser has closed, or it belongs to another account.");
}
