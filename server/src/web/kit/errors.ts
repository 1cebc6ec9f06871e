import { html } from "hono/html";
import type { Context } from "hono";
import { toErrorResponse } from "../../api/errors.ts";
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

/** An expected error, shown as a page. The API's counterpart is `Failure`. */
export class PageError extends Error {
  override readonly name = "PageError";
  readonly status: Status;
  /** A short summary. */
  readonly title: string;
  /** Seconds until the user can try again. */
  readonly retryAfterS: number | undefined;

  /** @param message Describes the cause and the solution. */
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

/** Thrown if a page requires a session. The error handler redirects the user to the sign-in page. */
export class SignInNeeded extends Error {
  override readonly name = "SignInNeeded";
}

/** Returns the same error for unknown pages and for pages that must stay hidden from the user. */
export function pageNotFound(): PageError {
  return new PageError(404, "Page not found", "This page does not exist. Check the address for typos.");
}

/** Returns the result, or the error if the service rejected the user's input. */
export async function orAccountError<Result>(work: Promise<Result>): Promise<Result | AccountError> {
  return work.catch((error: unknown) => {
    if (error instanceof AccountError) return error;
    throw error;
  });
}

/** Creates a handler that renders errors as pages. */
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

/** @returns Undefined for unexpected errors. */
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
    const status = toErrorResponse(error, "").status;
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
  // If the navigation is shown, the error is aligned like the content of other pages.
  return html`<section class="${frame.user ? "stack" : "narrow stack"}">
    <h1>${title}</h1>
    <p class="lead">${message}</p>
    <p><a class="button" href="${frame.to("/")}">Back to the start page</a></p>
    <p class="fine">Request ID: ${requestId}</p>
  </section>`;
}
