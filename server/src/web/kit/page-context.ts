import type { Context } from "hono";
import type { Account } from "../../domain/account/account.ts";
import { toFormToken } from "./form-token.ts";
import type { RefusalStatus } from "./page-refusal.ts";
import { type Frame, type Page, renderPage } from "./layout.ts";

/** What is the same for all pages of a site. */
export type PageSite = {
  /** Path of `RBS_PUBLIC_URL`, without a slash at its end. */
  readonly pathPrefix: string;
  /** Folder of the pages' files, from the root and without a slash before it; it ends with one. */
  readonly assets: string;
  readonly isSignUpOpen: boolean;
  readonly headers: Readonly<Record<string, string>>;
};

/** One request for a page. */
export type PageContext = {
  readonly c: Context;
  readonly frame: Frame;
  show(page: Page, status?: 200 | RefusalStatus | 500): Promise<Response>;
  /** On to another page, after a form: reloading that does nothing twice. @param path Of this site, without the prefix. */
  goTo(path: string): Response;
};

/** The same by somebody who is signed in. */
export type MemberContext = PageContext & { readonly account: Account; readonly secret: string };

export function newPageContext(c: Context, site: PageSite): PageContext {
  return toVisit(c, site, undefined);
}

/** @param secret Of the session that the account is signed in by. */
export function newMemberContext(c: Context, site: PageSite, account: Account, secret: string): MemberContext {
  return { ...toVisit(c, site, { account, formToken: toFormToken(secret) }), account, secret };
}

const KEPT = "context";

/** For the case that the request ends in an error: its page looks as others do to who is signed in. */
export function rememberContext(context: MemberContext): void {
  context.c.set(KEPT, context);
}

/** The visit that was kept for the request; else one by nobody in particular. */
export function rememberedContext(c: Context, site: PageSite): PageContext {
  return (c.get(KEPT) as MemberContext | undefined) ?? newPageContext(c, site);
}

function toVisit(c: Context, site: PageSite, member: Frame["member"]): PageContext {
  const to = (path: string): string => site.pathPrefix + path;
  const frame: Frame = { to, asset: (name) => to(`/${site.assets}${name}`), member, isSignUpOpen: site.isSignUpOpen };
  return {
    c,
    frame,
    async show(page, status = 200) {
      return c.html(await renderPage(frame, page), status, site.headers);
    },
    goTo: (path) => c.body(null, 303, { Location: to(path), "Cache-Control": "no-store" }),
  };
}
