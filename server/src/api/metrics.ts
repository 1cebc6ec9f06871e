import { isFromHere } from "./from-here.ts";
import type { ServiceApp } from "./service.ts";
import { Failure } from "../domain/failure.ts";
import { hashToken } from "../services/accounts/tokens.ts";

export type MetricsOptions = {
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** What a scraper shows as its bearer token. */
  readonly token: string | undefined;
  /** Whether whoever reaches the server may read them without one. */
  readonly isOpen: boolean;
};

/** What Prometheus scrapes. */
export function mountMetrics(app: ServiceApp, { render, token, isOpen }: MetricsOptions): void {
  // Hashes are compared, so that how long it takes tells nothing about the token.
  const wanted = token === undefined ? undefined : hashToken(token);
  app.get("/metrics", async (c) => {
    const [, shown] = /^bearer +(\S+)\s*$/i.exec(c.req.header("Authorization") ?? "") ?? [];
    const isAllowed =
      wanted === undefined ? isOpen && isFromHere(c.req) : shown !== undefined && hashToken(shown) === wanted;
    if (!isAllowed) throw new Failure("AuthorizationError", wanted === undefined ? NO_TOKEN : WRONG_TOKEN);
    const { contentType, text } = await render();
    return c.body(text, 200, { "Content-Type": contentType, "Cache-Control": "no-store" });
  });
}

const NO_TOKEN =
  "Without a token, metrics are for this machine only, under a loopback name: the operator sets RBS_METRICS_TOKEN.";
const WRONG_TOKEN = "Metrics take the token of RBS_METRICS_TOKEN: send the header Authorization: Bearer <token>.";
