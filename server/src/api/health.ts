import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { TLSSocket } from "node:tls";
import type { Capacity } from "../services/capacity/capacity.ts";
import type { Readiness } from "../services/health/readiness.ts";
import type { WarmPool } from "../services/warm/warm-pool.ts";
import type { ServiceApp } from "./app.ts";
import { isForwarded } from "./local-request.ts";
import { type MetricsAccess, newMetricsCheck } from "./metrics.ts";

/** Readiness changes at any time, so caches must not keep the response. */
const NO_STORE = { "Cache-Control": "no-store" };

type HealthOptions = MetricsAccess & {
  readonly countOpen: () => number;
  readonly pool: Pick<WarmPool, "ready">;
  readonly capacity: Pick<Capacity, "limit" | "taken">;
  readonly readiness: Pick<Readiness, "check">;
};

/**
 * Serves liveness and readiness for the operator's probes. Those who may read the metrics and the cluster's own
 * servers learn how busy the server is: it would tell strangers how much is missing until it is full.
 */
export function mountHealth(app: ServiceApp, options: HealthOptions): void {
  const { countOpen, pool, capacity, readiness } = options;
  const mayReadMetrics = newMetricsCheck(options);
  app.get("/healthz", (c) => c.json({ status: "alive" }));

  app.get("/readyz", async (c) => {
    const verdict = await readiness.check();
    const isTold = mayReadMetrics(c) || isOfCluster(c);
    const load = isTold && { browsers: countOpen(), warm: pool.ready, capacity: capacity.limit };
    // A full server still serves its browsers, so a load balancer must not take it away.
    const status = verdict.status === "ready" || verdict.status === "full" ? 200 : 503;
    return c.json({ ...verdict, ...load }, status, NO_STORE);
  });
}

/** Whether the client has a certificate of the cluster, and asks for itself. */
function isOfCluster(c: Context): boolean {
  const { socket } = (c.env as HttpBindings).incoming;
  return socket instanceof TLSSocket && socket.authorized && !isForwarded(c);
}
