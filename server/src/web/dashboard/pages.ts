import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { ServiceApp } from "../../api/app.ts";
import type { Log } from "../../ports/log.ts";
import { type BrowsersNeeds, mountBrowsers } from "./browsers/browsers.ts";
import { type GuardNeeds, findContext, newGuards, nothingHere } from "../kit/guards.ts";
import { mountHistory } from "./usage/history.ts";
import { mountHome } from "./entry/home.ts";
import { mountOperator, type OverviewNeeds } from "./operator/operator.ts";
import { type AccountNeeds, mountOperatorAccount } from "./operator/operator-account.ts";
import { mountOperatorNewAccount } from "./operator/operator-new-account.ts";
import { mountReference, type ReferenceNeeds } from "./reference/reference.ts";
import { newErrorPage } from "../kit/refusals.ts";
import { newSpelling } from "../kit/our-spelling.ts";
import { mountOpen, type OpenNeeds } from "./browsers/open.ts";
import { mountSettings, type SettingsNeeds } from "./settings/settings.ts";
import { mountSignIn, type SignInNeeds } from "./entry/sign-in.ts";
import { mountSignUp, type SignUpNeeds } from "./entry/sign-up.ts";
import { mountQuickStart, type QuickStartNeeds } from "./quick-start/quick-start.ts";
import { mountTokens, type TokenNeeds } from "./tokens/tokens.ts";
import { mountUsage, type UsageNeeds } from "./usage/usage.ts";
import { mountUsageFiles } from "./usage/usage-files.ts";

/** What the pages need, each as it says itself. */
export type PageNeeds = GuardNeeds &
  SignInNeeds &
  SignUpNeeds &
  BrowsersNeeds &
  OpenNeeds &
  ReferenceNeeds &
  TokenNeeds &
  QuickStartNeeds &
  SettingsNeeds &
  UsageNeeds &
  OverviewNeeds &
  AccountNeeds & { readonly log: Log };

/** What people see: getting in, and the dashboard. */
export function mountPages(app: ServiceApp, needs: PageNeeds): void {
  // An app of its own, since its errors are told on pages.
  const pages: ServiceApp = new Hono<{ Bindings: HttpBindings; Variables: { requestId: string } }>();
  const showError = newErrorPage(needs.site, needs.log);
  pages.onError(showError);
  const doors = newGuards(pages, needs);
  mountHome(doors);
  mountSignIn(doors, needs);
  mountSignUp(doors, needs);
  mountBrowsers(doors, needs);
  mountOpen(doors, needs);
  mountReference(doors, needs);
  mountTokens(doors, needs);
  mountQuickStart(doors, needs);
  mountSettings(doors, needs);
  mountUsage(doors, needs);
  mountUsageFiles(doors, needs);
  mountHistory(doors, needs);
  mountOperator(doors, needs);
  mountOperatorNewAccount(doors, needs);
  mountOperatorAccount(doors, needs);
  app.route("/", pages);
  const toOurSpelling = newSpelling(pages.routes.filter(({ method }) => method === "GET").map(({ path }) => path));
  app.get("*", async (c, next) => {
    // Programs are told in JSON, by the app itself.
    if (c.req.header("Accept")?.includes("text/html") !== true) return next();
    const ours = toOurSpelling(c.req.path);
    if (ours !== undefined) {
      const location = needs.site.pathPrefix + ours + new URL(c.req.url).search;
      return c.body(null, 308, { Location: location, "Cache-Control": "no-store" });
    }
    // So that the page looks as others do to whoever it is.
    await findContext(c, needs);
    return showError(nothingHere(), c);
  });
}
