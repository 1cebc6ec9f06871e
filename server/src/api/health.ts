import type { Capacity } from "../services/browsers/capacity.ts";
import type { Readiness } from "../services/browsers/readiness.ts";
import type { WarmPool } from "../services/browsers/warm-pool.ts";
import type { ServiceApp } from "./app.ts";

/** Readiness changes at any time, so caches must not keep the response. */
const NO_STORE = { "Cache-Control": "no-store" };

/** Serves liveness and readiness for the operator's probes. */
export function mountHealth(
  app: ServiceApp,
  {
    countOpen,
    pool,
    capacity,
    readiness,
  }: {
    readonly countOpen: () => number;
    readonly pool: Pick<WarmPool, "ready">;
    readonly capacity: Pick<Capacity, "limit" | "taken">;
    readonly readiness: Pick<Readiness, "check">;
  },
): void {
  app.get("/healthz", (c) => c.json({ status: "alive" }));

  app.get("/readyz", async (c) => {
    const verdict = await readiness.check();
    const load = { browsers: countOpen(), warm: pool.ready, capacity: capacity.limit };
    // A full server still serves its browsers, so a load balancer must not take it away.
    const status = verdict.status === "ready" || verdict.status === "full" ? 200 : 503;
    return c.json({ ...verdict, ...load }, status, NO_STORE);
  });
}
