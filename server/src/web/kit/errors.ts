import { html } from "hono/html";
import type { Context } from "hono";
import { toRefusal } from "../../api/errors.ts";
import type { Log } from "../../ports/log.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";
import { withoutPrefix } from "../../contract/path.ts";
import { Failure } from "../../domain/failure.ts";
import { AccountError, BusyError, TooManyAttempts } from "../../services/accounts/errors.ts";
import { storeFailure } from "../../services/store/store-failure.ts";
import type { Frame, Html } from "./layout.ts";
import { type PageSite, rememberedContext } from "./page-context.ts";
import { toNextPage } from "./paths.ts";

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503;

/** An expected error that the user sees as a page. The API's counterpart is `Failure`. */
export class PageError extends Error {
  override readonly name = "PageError";
  readonly status: Status;
  /** What happened, in a few words. */
  readonly title: string;
  /** Seconds after which the user can try again. */
  readonly retryAfterS: number | undefined;

  /** @param message What was wrong, and what to do. */
  constructor(
    status: Status,
    title: string,
    message: string,
    details: { readonly retryAfterS?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.status = status;
    this.title = title;
    this.retryAfterS = details.retryAfterS;
  }
}

/** The page needs a session: the user is sent to sign in. */
export class SignInNeeded extends Error {
  override readonly name = "SignInNeeded";
}

/** For unknown pages, and for pages that the user may not know of. Both look the same. */
export function pageNotFound(): PageError {
  return new PageError(404, "Page not found", "This page does not exist. Check the address for typos.");
}

/** The result, or the error of a service that refused what the user entered. */
export async function orAccountError<Result>(work: Promise<Result>): Promise<Result | AccountError> {
  return work.catch((error: unknown) => {
    if (error instanceof AccountError) return error;
    throw error;
  });
}

/** Answers errors of pages with a page. */
export function newErrorHandler(site: PageSite, log: Log): (error: Error, c: Context) => Promise<Response> {
  return async (error, c) => {
    const requestId = c.get("requestId") as string;
    if (c.req.raw.signal.aborted) {
      log.sample("request.abandoned", { requestId });
      return c.body(null);
    }
    const context = rememberedContext(c, site);
    if (error instanceof SignInNeeded) {
      if (c.req.method !== "GET") return context.goTo("/sign-in");
      const { pathname, search } = new URL(c.req.url);
      const next = toNextPage(withoutPrefix(pathname, site.pathPrefix) + search);
      return context.goTo(next === undefined ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
    }
    const shown = toPageError(error);
    const status = shown?.status ?? 500;
    const [event, level] = shown ? (["page.refused", "info"] as const) : (["page.failed", "error"] as const);
    const line = shown ? { requestId, status } : { requestId, error };
    if (context.frame.user === undefined) log.sample(event, line, level);
    else log[level](event, line);
    const { title, message, retryAfterS } = shown ?? UNKNOWN;
    if (retryAfterS !== undefined) c.header("Retry-After", String(Math.ceil(retryAfterS)));
    return context.show({ title, main: renderError(context.frame, { title, message, requestId }) }, status);
  };
}

const UNKNOWN = {
  title: "Something went wrong",
  message: "An unexpected error occurred. If it happens again, send the request ID below to the operator.",
  retryAfterS: undefined,
};

/** @returns Undefined for a bug. */
function toPageError(error: Error): PageError | undefined {
  if (error instanceof PageError) return error;
  if (error instanceof AccountError) return new PageError(400, "That didn't work", error.message);
  if (error instanceof TooManyAttempts) {
    const { message, retryAfterS } = error;
    return new PageError(429, "Too many attempts", message, { retryAfterS });
  }
  if (error instanceof BusyError) {
    const message = "Too many users are signing in right now. Try again in a few seconds.";
    return new PageError(503, "Server busy", message, { retryAfterS: 5 });
  }
  if (error instanceof Failure) {
    const { message, retryAfterS } = error;
    const status = toRefusal(error, "").status;
    const known = ([400, 403, 404, 409, 429, 503] as const).find((one) => one === status) ?? 400;
    return new PageError(known, "That didn't work", message, retryAfterS === undefined ? {} : { retryAfterS });
  }
  if (error instanceof StoreUnavailable) return toPageError(storeFailure(error));
  return undefined;
}

function renderError(
  frame: Frame,
  { title, message, requestId }: Record<"title" | "message" | "requestId", string>,
): Html {
  // Next to the navigation, the text starts where other pages start.
  return html`<section class="${frame.user ? "stack" : "narrow stack"}">
    <h1>${title}</h1>
    <p class="lead">${message}</p>
    <p><a class="button" href="${frame.to("/")}">Back to the start page</a></p>
    <p class="fine">Request ID: ${requestId}</p>
  </section>`;
}
