import type { Context } from "hono";
import { Failure } from "../domain/failure.ts";
import { hashToken } from "../services/accounts/tokens.ts";
import type { ServiceApp } from "./app.ts";
import { readBearer } from "./authentication.ts";
import { isLocalRequest } from "./local-request.ts";

/** Access rules for the metrics, and for the numbers of `/readyz`. */
export type MetricsAccess = {
  /** The bearer token that requests must send. */
  readonly token: string | undefined;
  /** Whether requests from this machine need no token. Has no effect if a token is set. */
  readonly isOpen: boolean;
};

type MetricsOptions = MetricsAccess & {
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>;
};

/** Serves the metrics that Prometheus scrapes. */
export function mountMetrics(app: ServiceApp, { render, token, isOpen }: MetricsOptions): void {
  const isAllowed = newMetricsCheck({ token, isOpen });
  app.get("/metrics", async (c) => {
    if (!isAllowed(c)) throw new Failure("AuthorizationError", token === undefined ? NO_TOKEN : WRONG_TOKEN);
    const { contentType, text } = await render();
    return c.body(text, 200, { "Content-Type": contentType, "Cache-Control": "no-store" });
  });
}

/** Creates a function that returns whether a request may read the metrics. */
export function newMetricsCheck({ token, isOpen }: MetricsAccess): (c: Context) => boolean {
  if (token === undefined) return (c) => isOpen && isLocalRequest(c);
  // Compare hashes, so that the response time reveals nothing about the token.
  const expectedHash = hashToken(token);
  return (c) => {
    const sent = readBearer(c.req.header("Authorization"));
    return sent !== undefined && hashToken(sent) === expectedHash;
  };
}

const NO_TOKEN =
  "Without a token, metrics are served to this machine only, at a loopback address: ask the operator to set RBS_METRICS_TOKEN.";
const WRONG_TOKEN =
  "Metrics require the token of RBS_METRICS_TOKEN: send it in the Authorization header, as Bearer <token>.";
