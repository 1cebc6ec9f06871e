import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { ServiceApp } from "../../api/app.ts";
import { mountBrowsers } from "./browsers/browsers.ts";
import { findContext, newGuards } from "../kit/guards.ts";
import { mountHistory } from "./usage/history.ts";
import { mountHome } from "./entry/home.ts";
import { mountOperator } from "./operator/operator.ts";
import { mountOperatorActs } from "./operator/operator-acts.ts";
import { mountOperatorAccount } from "./operator/operator-account.ts";
import { mountOperatorNewAccount } from "./operator/operator-new-account.ts";
import { mountReference } from "./reference/reference.ts";
import { newErrorHandler, pageNotFound } from "../kit/errors.ts";
import type { PageServices } from "../kit/page-services.ts";
import { newCanonicalPaths } from "../kit/paths.ts";
import { mountOpen } from "./browsers/open.ts";
import { mountSettings } from "./settings/settings.ts";
import { mountSignIn } from "./entry/sign-in.ts";
import { mountSignUp } from "./entry/sign-up.ts";
import { mountQuickStart } from "./quick-start/quick-start.ts";
import { mountTokens } from "./tokens/tokens.ts";
import { mountUsage } from "./usage/usage.ts";

/** Mounts all pages: sign-in, the dashboard and the pages for operators. */
export function mountPages(app: ServiceApp, services: PageServices): void {
  // A separate app, because its errors are shown as pages.
  const pages: ServiceApp = new Hono<{ Bindings: HttpBindings; Variables: { requestId: string } }>();
  const handleError = newErrorHandler(services.site, services.log);
  pages.onError(handleError);
  const guards = newGuards(pages, services);
  mountHome(guards);
  mountSignIn(guards, services);
  mountSignUp(guards, services);
  mountBrowsers(guards, services);
  mountOpen(guards, services);
  mountReference(guards, services);
  mountTokens(guards, services);
  mountQuickStart(guards, services);
  mountSettings(guards, services);
  mountUsage(guards, services);
  mountHistory(guards, services);
  mountOperator(guards, services);
  mountOperatorActs(guards, services);
  mountOperatorNewAccount(guards, services);
  mountOperatorAccount(guards, services);
  app.route("/", pages);
  const toCanonical = newCanonicalPaths(pages.routes.filter(({ method }) => method === "GET").map(({ path }) => path));
  app.get("*", async (c, next) => {
    // Other clients receive the app's JSON errors.
    if (c.req.header("Accept")?.includes("text/html") !== true) return next();
    const canonical = toCanonical(c.req.path);
    if (canonical !== undefined) {
      const location = services.site.pathPrefix + canonical + new URL(c.req.url).search;
      return c.body(null, 308, { Location: location, "Cache-Control": "no-store" });
    }
    // Remember the user, so that the error page shows them as signed in.
    await findContext(c, services);
    return handleError(pageNotFound(), c);
  });
}
