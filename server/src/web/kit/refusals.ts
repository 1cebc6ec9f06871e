import { html } from "hono/html";
import type { Context } from "hono";
import { Failure } from "../../domain/failure.ts";
import { toRefusal } from "../../api/errors.ts";
import { withoutPrefix } from "../../contract/path.ts";
import type { Log } from "../../ports/log.ts";
import { toNextPage } from "./next-page.ts";
import { PageRefusal } from "./page-refusal.ts";
import { AccountError } from "../../services/accounts/account-error.ts";
import { BusyError } from "../../services/accounts/busy-error.ts";
import { SignInNeeded } from "./guards.ts";
import type { Frame, Html } from "./layout.ts";
import { rememberedContext, type PageSite } from "./page-context.ts";

/** What a person sees when a page can't do what was asked. */
export function newErrorPage(site: PageSite, log: Log): (error: Error, c: Context) => Promise<Response> {
  return async (error, c) => {
    const requestId = c.get("requestId") as string;
    if (c.req.raw.signal.aborted) {
      log.info("request.abandoned", { requestId });
      return c.body(null);
    }
    const context = rememberedContext(c, site);
    if (error instanceof SignInNeeded) {
      if (c.req.method !== "GET") return context.goTo("/sign-in");
      const { pathname, search } = new URL(c.req.url);
      const next = toNextPage(withoutPrefix(pathname, site.pathPrefix) + search);
      return context.goTo(next === undefined ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
    }
    const { status, title, message, retryAfterS } = toPageRefusal(error);
    if (status === 500) log.error("page.failed", { requestId, error });
    else log.info("page.refused", { requestId, status });
    if (retryAfterS !== undefined) c.header("Retry-After", String(Math.ceil(retryAfterS)));
    return context.show({ title, main: renderRefusal(context.frame, { title, message, requestId }) }, status);
  };
}

type Told = Pick<PageRefusal, "title" | "message" | "retryAfterS"> & { readonly status: PageRefusal["status"] | 500 };

function toPageRefusal(error: Error): Told {
  if (error instanceof PageRefusal) return error;
  if (error instanceof AccountError)
    return { status: 400, title: "That did not work", message: error.message, retryAfterS: undefined };
  if (error instanceof BusyError) {
    const message = "Too many people are signing in at this moment: try again in a few seconds.";
    return { status: 503, title: "Busy", message, retryAfterS: 5 };
  }
  if (error instanceof Failure) {
    const { message, retryAfterS } = error;
    const status = toRefusal(error, "").status;
    const known = ([400, 403, 404, 409, 429, 503] as const).find((one) => one === status) ?? 400;
    return { status: known, title: "That did not work", message, retryAfterS };
  }
  const message =
    "Something unexpected went wrong here, and nothing more is known: tell the operator the request's id.";
  return { status: 500, title: "Something went wrong", message, retryAfterS: undefined };
}

type RefusalWords = { readonly title: string; readonly message: string; readonly requestId: string };

function renderRefusal(frame: Frame, { title, message, requestId }: RefusalWords): Html {
  // Beside the navigation it stands where other pages begin.
  return html`<section class="${frame.member ? "stack" : "narrow stack"}">
    <h1>${title}</h1>
    <p class="lead">${message}</p>
    <p><a class="button" href="${frame.to("/")}">Back to the start</a></p>
    <p class="fine">Request ${requestId}</p>
  </section>`;
}
