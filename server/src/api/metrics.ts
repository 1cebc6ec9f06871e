import type { Context } from "hono";
import { Failure } from "../domain/failure.ts";
import { hashToken } from "../services/accounts/tokens.ts";
import type { ServiceApp } from "./app.ts";
import { isLocalRequest } from "./local-request.ts";

type MetricsOptions = {
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** The bearer token that scrapers have to send. */
  readonly token: string | undefined;
  /** Whether requests from this machine need no token; has no effect when there is one. */
  readonly isOpen: boolean;
};

/** Serves the metrics that Prometheus scrapes. */
export function mountMetrics(app: ServiceApp, { render, token, isOpen }: MetricsOptions): void {
  const hasToken = newTokenCheck(token);
  app.get("/metrics", async (c) => {
    const isAllowed = token === undefined ? isOpen && isLocalRequest(c) : hasToken(c);
    if (!isAllowed) throw new Failure("AuthorizationError", token === undefined ? NO_TOKEN : WRONG_TOKEN);
    const { contentType, text } = await render();
    return c.body(text, 200, { "Content-Type": contentType, "Cache-Control": "no-store" });
  });
}

/** Whether a request has the token. */
export function newTokenCheck(token: string | undefined): (c: Context) => boolean {
  // Compares hashes, so that the time it takes reveals nothing about the token.
  const expectedHash = token === undefined ? undefined : hashToken(token);
  return (c) => {
    const [, sent] = /^bearer +(\S+)\s*$/i.exec(c.req.header("Authorization") ?? "") ?? [];
    return sent !== undefined && hashToken(sent) === expectedHash;
  };
}

const NO_TOKEN =
  "Without a token, metrics are served to this machine only, at a loopback address: ask the operator to set RBS_METRICS_TOKEN.";
const WRONG_TOKEN =
  "Metrics require the token of RBS_METRICS_TOKEN: send it in the Authorization header, as Bearer <token>.";
