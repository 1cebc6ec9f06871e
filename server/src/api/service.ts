import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { getPath } from "hono/utils/url";
import { Failure } from "../domain/failure.ts";
import { CallerGone, toFailure, toRefusal } from "./errors.ts";
import { toOurPath, toShownPath, withoutPrefix } from "../contract/path.ts";

/** An app whose every request has an id. */
export type ServiceApp = Hono<{ Bindings: HttpBindings; Variables: { requestId: string } }>;

/** Where refusals are told; as much of a log as is needed here. */
export type ServiceLog = Record<"info" | "error", (event: string, facts: Readonly<Record<string, unknown>>) => void>;

export type ServiceOptions = {
  readonly newRequestId: () => string;
  /** Path of `RBS_PUBLIC_URL`, without a slash at its end. */
  readonly pathPrefix: string;
  /** `RBS_ORIGINS`: pages that may read our answers. */
  readonly origins: ReadonlySet<string>;
  readonly log: ServiceLog;
};

/** An app that gives every answer its request id, and every refusal the contract's error body. */
export function newService({ newRequestId, pathPrefix, origins, log }: ServiceOptions): ServiceApp {
  const app: ServiceApp = new Hono({
    getPath: (request) => toOurPath(withoutPrefix(getPath(request), pathPrefix)),
  });

  app.use(async (c, next) => {
    const requestId = newRequestId();
    c.set("requestId", requestId);
    // Straight to Node: a header set on the context makes each answer go through a Headers object.
    c.env.outgoing.setHeader("X-Request-Id", requestId);
    if (!URL.canParse(c.req.url)) throw badHost();
    await next();
  });

  if (origins.size > 0) app.use(corsFor(origins));

  app.notFound((c) => {
    throw new Failure("NotFound", `There is nothing at ${toShownPath(c.req.url)}.`);
  });

  app.onError((error, c) => {
    const requestId = c.get("requestId");
    if (error instanceof CallerGone) {
      log.info("request.abandoned", { requestId });
      return c.body(null);
    }
    const failure = toFailure(error);
    const { status, headers, body } = toRefusal(failure, requestId);
    const facts = { requestId, name: body.name, status };
    // What is behind a refusal of the request itself may hold what was sent; what has no cause was expected.
    if (status < 500 || failure.cause === undefined) log.info("request.refused", facts);
    else log.error("request.failed", { ...facts, error: failure.cause });
    return c.json(body, status, headers);
  });

  return app;
}

function badHost(): Failure {
  const message = "The Host header is not a host name or address.";
  return new Failure("BadRequest", message, { errors: [{ path: "", message }] });
}

/** Only for trusted origins: to all others the service is not there, as far as their pages can tell. */
function corsFor(origins: ReadonlySet<string>): MiddlewareHandler {
  const allow = cors({
    origin: [...origins],
    allowMethods: ["GET", "POST"],
    allowHeaders: ["Authorization", "Content-Type"],
    exposeHeaders: ["X-Request-Id", "Retry-After"],
  });
  return (c, next) => (origins.has(c.req.header("origin") ?? "") ? allow(c, next) : next());
}
