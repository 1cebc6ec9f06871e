import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { ProxyProbe, ProxyVerdict } from "../../ports/proxy-probe.ts";
import { coalesce, limit, type Lookup } from "./admission.ts";
import { Connections } from "./connections.ts";
import { Meter } from "./meter.ts";
import { nameResolver } from "./resolve-name.ts";
import { Route } from "./route.ts";

export type ProbeOptions = {
  /** Resolves names; by default by DNS, then as the system does. */
  readonly lookup?: Lookup;
  /** Time allowed for the proxy's name to resolve, then for its answer; 10,000 by default. */
  readonly timeoutMs?: number;
};

/** Asks proxies for a tunnel the way browsers do, credentials included; wherever they stand. */
export function createProxyProbe({ lookup = nameResolver(), timeoutMs = 10_000 }: ProbeOptions = {}): ProxyProbe {
  const resolve = coalesce(limit(lookup, timeoutMs));
  return {
    async probe(upstream: UpstreamProxy, signal: AbortSignal): Promise<ProxyVerdict> {
      const route = new Route({
        upstream,
        admission: { policy: "any", lookup: resolve, ownAddresses: new Set() },
        connections: new Connections(new Meter(), timeoutMs),
        silenceMs: { first: timeoutMs, later: timeoutMs },
      });
      try {
        return await route.probe(signal);
      } finally {
        route.cut();
      }
    },
  };
}
