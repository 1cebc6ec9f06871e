import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import type { ServiceApp } from "./service.ts";
import type { Browsers } from "../services/browsers/browsers.ts";
import type { Capacity } from "../services/browsers/capacity.ts";
import type { Readiness } from "../services/browsers/readiness.ts";
import type { WarmPool } from "../services/browsers/warm-pool.ts";

/** An answer of a minute ago says nothing about now. */
const NOT_KEPT = { "Cache-Control": "no-store" };

/** What operators and their probes ask: liveness, readiness, and the contract this server keeps. */
export function mountOperatorRoutes(
  app: ServiceApp,
  {
    browsers,
    pool,
    capacity,
    readiness,
  }: { browsers: Browsers; pool: WarmPool; capacity: Capacity; readiness: Readiness },
): void {
  app.get("/healthz", (c) => c.json({ status: "alive" }));

  app.get("/readyz", async (c) => {
    const verdict = await readiness.check();
    const load = { browsers: browsers.count, warm: pool.ready, capacity: capacity.limit };
    return verdict.isReady
      ? c.json({ status: "ready", ...load }, 200, NOT_KEPT)
      : c.json({ status: "not ready", message: verdict.message, ...load }, 503, NOT_KEPT);
  });

  app.get("/openapi.json", (c) => c.json(contract));
}
