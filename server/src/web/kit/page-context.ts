import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Account } from "../../domain/account/account.ts";
import { setRequestAccount } from "../../api/request-context.ts";
import { setAnswerOwner } from "../../gateway/connections/unsent-answers.ts";
import { toFormToken } from "./form-token.ts";
import { type Frame, type Page, renderPage } from "./layout.ts";

/** Settings that all pages share. */
export type PageSite = {
  /** Path of `RBS_PUBLIC_URL`, without a trailing slash. */
  readonly pathPrefix: string;
  /** Folder of the pages' files, relative to the root, with a trailing slash. */
  readonly assets: string;
  readonly isSignUpOpen: boolean;
  readonly headers: Readonly<Record<string, string>>;
};

/** A request for a page. */
export type PageContext = {
  readonly c: Context;
  readonly frame: Frame;
  show(page: Page, status?: ContentfulStatusCode): Promise<Response>;
  /**
   * Redirects to another page after a form submission, so that a reload doesn't resubmit the form.
   * @param path Without the path prefix.
   */
  goTo(path: string): Response;
};

/** A request from a signed-in user. */
export type UserContext = PageContext & { readonly account: Account; readonly secret: string };

export function newPageContext(c: Context, site: PageSite, user?: Frame["user"]): PageContext {
  const to = (path: string): string => site.pathPrefix + path;
  const frame: Frame = { to, asset: (name) => to(`/${site.assets}${name}`), user, isSignUpOpen: site.isSignUpOpen };
  return {
    c,
    frame,
    async show(page, status = 200) {
      return c.html(await renderPage(frame, page), status, withImages(site.headers, page.images));
    },
    goTo: (path) => c.body(null, 303, { Location: to(path), "Cache-Control": "no-store" }),
  };
}

/** @param secret The session's secret. */
export function newUserContext(c: Context, site: PageSite, account: Account, secret: string): UserContext {
  return { ...newPageContext(c, site, { account, formToken: toFormToken(secret) }), account, secret };
}

const KEY = "context";

/**
 * Stores the context, so that error pages show the user as signed in. The account's limits on unread responses and
 * database connections then apply to the request.
 */
export function rememberContext(context: UserContext): void {
  const { c, account } = context;
  c.set(KEY, context);
  setAnswerOwner((c.env as HttpBindings).outgoing, account.id);
  setRequestAccount(account.id);
}

/** Returns the stored context, or a signed-out context by default. */
export function rememberedContext(c: Context, site: PageSite): PageContext {
  return (c.get(KEY) as UserContext | undefined) ?? newPageContext(c, site);
}

const POLICY = "Content-Security-Policy";

/**
 * Returns all pages' headers, which allow only this server's files and forbid inline scripts, framing and caching.
 * @param formTargets Other origins that forms may redirect to: remote desktops are served below the public URL.
 */
export function toPageHeaders(formTargets: readonly string[]): Readonly<Record<string, string>> {
  return {
    [POLICY]: [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      `form-action ${["'self'", ...formTargets].join(" ")}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    // With "no-referrer", web browsers submit forms without an origin.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
  };
}

function withImages(headers: PageSite["headers"], source: Page["images"]): Record<string, string> {
  if (source === undefined) return { ...headers };
  return { ...headers, [POLICY]: (headers[POLICY] ?? "").replace("img-src 'self'", `img-src 'self' ${source}`) };
}
