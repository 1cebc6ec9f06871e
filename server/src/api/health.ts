import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { TLSSocket } from "node:tls";
import type { Capacity } from "../services/capacity/capacity.ts";
import type { Readiness } from "../services/health/readiness.ts";
import type { WarmPool } from "../services/warm/warm-pool.ts";
import type { ServiceApp } from "./app.ts";
import { isForwarded } from "./local-request.ts";
import { type MetricsAccess, newMetricsCheck } from "./metrics.ts";

/** Readiness changes at any time, so caches must not store the response. */
const NO_STORE = { "Cache-Control": "no-store" };

type HealthOptions = MetricsAccess & {
  readonly countOpen: () => number;
  readonly pool: Pick<WarmPool, "ready">;
  readonly capacity: Pick<Capacity, "limit" | "taken">;
  readonly readiness: Pick<Readiness, "check">;
};

/**
 * Serves liveness and readiness for the operator's probes. Only clients that may read the metrics, and the cluster's
 * own servers, see how busy the server is, because the numbers would show attackers how many browsers would fill it.
 */
export function mountHealth(app: ServiceApp, options: HealthOptions): void {
  const { countOpen, pool, capacity, readiness } = options;
  const mayReadMetrics = newMetricsCheck(options);
  app.get("/healthz", (c) => c.json({ status: "alive" }));

  app.get("/readyz", async (c) => {
    const verdict = await readiness.check();
    const maySeeLoad = mayReadMetrics(c) || isOfCluster(c);
    const load = maySeeLoad && { browsers: countOpen(), warm: pool.ready, capacity: capacity.limit };
    // A full server still serves its browsers, so a load balancer must not remove it.
    const status = verdict.status === "ready" || verdict.status === "full" ? 200 : 503;
    return c.json({ ...verdict, ...load }, status, NO_STORE);
  });
}

/** Returns whether the client has a cluster certificate, and isn't forwarding another client's request. */
function isOfCluster(c: Context): boolean {
  const { socket } = (c.env as HttpBindings).incoming;
  return socket instanceof TLSSocket && socket.authorized && !isForwarded(c);
}
