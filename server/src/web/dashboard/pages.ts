import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { ServiceApp } from "../../api/app.ts";
import type { Log } from "../../ports/log.ts";
import { type BrowsersNeeds, mountBrowsers } from "./browsers/browsers.ts";
import { type GuardNeeds, findContext, newGuards } from "../kit/guards.ts";
import { type HistoryNeeds, mountHistory } from "./usage/history.ts";
import { mountHome } from "./entry/home.ts";
import { mountOperator, type OverviewNeeds } from "./operator/operator.ts";
import { mountOperatorActs } from "./operator/operator-acts.ts";
import { type AccountNeeds, mountOperatorAccount } from "./operator/operator-account.ts";
import { mountOperatorNewAccount } from "./operator/operator-new-account.ts";
import { mountReference, type ReferenceNeeds } from "./reference/reference.ts";
import { newErrorHandler, pageNotFound } from "../kit/errors.ts";
import { newCanonicalPaths } from "../kit/paths.ts";
import { mountOpen, type OpenNeeds } from "./browsers/open.ts";
import { mountSettings, type SettingsNeeds } from "./settings/settings.ts";
import { mountSignIn, type SignInPageNeeds } from "./entry/sign-in.ts";
import { mountSignUp } from "./entry/sign-up.ts";
import { mountQuickStart, type QuickStartNeeds } from "./quick-start/quick-start.ts";
import { mountTokens, type TokenNeeds } from "./tokens/tokens.ts";
import { mountUsage, type UsageNeeds } from "./usage/usage.ts";

type PageNeeds = GuardNeeds &
  SignInPageNeeds &
  BrowsersNeeds &
  OpenNeeds &
  ReferenceNeeds &
  TokenNeeds &
  QuickStartNeeds &
  SettingsNeeds &
  UsageNeeds &
  HistoryNeeds &
  OverviewNeeds &
  AccountNeeds & { readonly log: Log };

/** Mounts all pages: sign-in, the dashboard and the pages for operators. */
export function mountPages(app: ServiceApp, needs: PageNeeds): void {
  // A separate app, since its errors are shown as pages.
  const pages: ServiceApp = new Hono<{ Bindings: HttpBindings; Variables: { requestId: string } }>();
  const handleError = newErrorHandler(needs.site, needs.log);
  pages.onError(handleError);
  const guards = newGuards(pages, needs);
  mountHome(guards);
  mountSignIn(guards, needs);
  mountSignUp(guards, needs);
  mountBrowsers(guards, needs);
  mountOpen(guards, needs);
  mountReference(guards, needs);
  mountTokens(guards, needs);
  mountQuickStart(guards, needs);
  mountSettings(guards, needs);
  mountUsage(guards, needs);
  mountHistory(guards, needs);
  mountOperator(guards, needs);
  mountOperatorActs(guards, needs);
  mountOperatorNewAccount(guards, needs);
  mountOperatorAccount(guards, needs);
  app.route("/", pages);
  const toCanonical = newCanonicalPaths(pages.routes.filter(({ method }) => method === "GET").map(({ path }) => path));
  app.get("*", async (c, next) => {
    // Other clients get the app's JSON errors.
    if (c.req.header("Accept")?.includes("text/html") !== true) return next();
    const canonical = toCanonical(c.req.path);
    if (canonical !== undefined) {
      const location = needs.site.pathPrefix + canonical + new URL(c.req.url).search;
      return c.body(null, 308, { Location: location, "Cache-Control": "no-store" });
    }
    // Remembers the user, so that the error page shows them as signed in.
    await findContext(c, needs);
    return handleError(pageNotFound(), c);
  });
}
