import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { operations, type FailureName, type OperationId } from "@remote-browser/contract/operations";
import { cors } from "hono/cors";
import { getPath } from "hono/utils/url";
import { setRequestAccount, withRequest } from "./request-context.ts";
import { toOurPath, toShownPath, withoutPrefix } from "../contract/path.ts";
import { Failure } from "../domain/failure.ts";
import type { AddressRange } from "../domain/network/address-range.ts";
import { toClientAddress } from "../domain/network/client-address.ts";
import { setAnswerOwner } from "../gateway/connections/unsent-answers.ts";
import { hasSeveralHosts, SEVERAL_HOSTS } from "../gateway/upgrade/upgrade-request.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { CallerGone, toFailure, toErrorResponse } from "./errors.ts";

/** A Hono app in which every request has an id. */
export type ServiceApp = Hono<ServiceEnv>;

export type ServiceEnv = {
  Bindings: HttpBindings;
  Variables: { requestId: string; startedMs?: number; account?: string; operation?: OperationId };
};

type ServiceAppOptions = {
  readonly newRequestId: () => string;
  /** The path of `RBS_PUBLIC_URL` without a trailing slash. */
  readonly pathPrefix: string;
  /** `RBS_ORIGINS`: origins whose pages may read the responses. */
  readonly origins: ReadonlySet<string>;
  /** Whether users connect only over HTTPS. If so, the server sends `Strict-Transport-Security`. */
  readonly isHttpsOnly: boolean;
  /** `RBS_TRUSTED_PROXIES`. Default: none. */
  readonly trustedProxies?: readonly AddressRange[];
  readonly clock: Pick<Clock, "elapsedMs">;
  readonly log: Log;
};

/** Failures whose messages can quote the caller, a page or a provider. The log must not contain such text. */
const UNLOGGED_MESSAGES: ReadonlySet<FailureName> = new Set([
  "BadRequest",
  "NotFound",
  "UnsupportedMediaType",
  "ProviderError",
  "ProviderUnavailable",
]);

/** One year (RFC 6797, section 6.1). Excludes subdomains, which may belong to other services. */
const STRICT_TRANSPORT = "max-age=31536000";

/**
 * Creates an app that adds the request id and security headers to every response, and turns errors into the contract's
 * error body.
 */
export function newServiceApp(options: ServiceAppOptions): ServiceApp {
  const { newRequestId, pathPrefix, origins, isHttpsOnly, trustedProxies = [], clock, log } = options;
  const app: ServiceApp = new Hono({
    getPath: (request) => toOurPath(withoutPrefix(getPath(request), pathPrefix)),
  });

  app.use(async (c, next) => {
    const requestId = newRequestId();
    c.set("requestId", requestId);
    c.set("startedMs", clock.elapsedMs());
    // Set on Node's response: setting a header on the context would build a Headers object for each response.
    const { incoming, outgoing } = c.env;
    outgoing.setHeader("X-Request-Id", requestId);
    outgoing.setHeader("X-Content-Type-Options", "nosniff");
    if (isHttpsOnly) outgoing.setHeader("Strict-Transport-Security", STRICT_TRANSPORT);
    if (hasSeveralHosts(incoming)) throw badHost(SEVERAL_HOSTS);
    if (!URL.canParse(c.req.url)) throw badHost("The Host header is not a host name or address.");
    await withRequest(requestId, next);
  });

  if (origins.size > 0) app.use(corsFor(origins));

  app.notFound((c) => {
    throw new Failure("NotFound", `There is nothing at ${toShownPath(c.req.url)}.`);
  });

  app.onError((error, c) => {
    const requestId = c.get("requestId");
    if (error instanceof CallerGone) {
      log.sample("request.abandoned", { requestId });
      return c.body(null);
    }
    const failure = toFailure(error);
    const { status, headers, body } = toErrorResponse(failure, requestId);
    const [account, operation, startedMs] = [c.get("account"), c.get("operation"), c.get("startedMs")];
    const facts = {
      requestId,
      ...(account !== undefined && { account }),
      // Other paths can contain browsers' keys.
      ...(operation !== undefined && { operation, path: operations[operation].path }),
      remoteAddress: toClientAddress(
        c.env.incoming.socket.remoteAddress,
        c.req.header("x-forwarded-for"),
        trustedProxies,
      ),
      name: body.name,
      status,
      ...(UNLOGGED_MESSAGES.has(body.name)
        ? { at: failure.errors?.map(({ path }) => path) }
        : { message: body.message }),
      ...(startedMs !== undefined && { durationMs: Math.round(clock.elapsedMs() - startedMs) }),
    };
    // The cause of a 4xx can contain the caller's input, so it is not logged. Failures without a cause are expected.
    const isFault = status >= 500 && failure.cause !== undefined;
    const [event, level] = isFault ? (["request.failed", "error"] as const) : (["request.refused", "info"] as const);
    const line = isFault ? { ...facts, error: failure.cause } : facts;
    if (account === undefined) log.sample(event, line, level);
    else log[level](event, line);
    return c.json(body, status, headers);
  });

  return app;
}

/** Records a request's account for the log, the limit on unread responses, and the account's share of the store. */
export function setAccount(c: Context<ServiceEnv>, id: string): void {
  c.set("account", id);
  setAnswerOwner(c.env.outgoing, id);
  setRequestAccount(id);
}

function badHost(message: string): Failure {
  return new Failure("BadRequest", message, { errors: [{ path: "", message }] });
}

/** Sends CORS headers to trusted origins only, so that pages from other origins can't detect the service. */
function corsFor(origins: ReadonlySet<string>): MiddlewareHandler {
  const allow = cors({
    origin: [...origins],
    allowMethods: ["GET", "POST"],
    allowHeaders: ["Authorization", "Content-Type", "Idempotency-Key"],
    exposeHeaders: ["X-Request-Id", "Retry-After"],
  });
  return (c, next) => (origins.has(c.req.header("origin") ?? "") ? allow(c, next) : next());
}
