import { networkInterfaces } from "node:os";
import { type AddressRange, readAddressRange } from "../../domain/network/address-range.ts";
import { type EgressRules, NO_RULES } from "../../domain/network/egress-rules.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Egress } from "../../ports/egress.ts";
import type { Log } from "../../ports/log.ts";
import type { ProxyProbe } from "../../ports/proxy-probe.ts";
import { TrafficCounter } from "./connections.ts";
import { newProxyServer } from "./proxy-server.ts";
import { notInUse } from "./refusal.ts";
import { type Lookup, type ResolveOptions, checkBehindProxy, newLookup, newSharedLookup } from "./resolve.ts";
import { Route } from "./route.ts";

export type EgressOptions = {
  readonly rules: EgressRules;
  readonly log: Pick<Log, "error">;
  /** The operator's own proxies, which may have private addresses. */
  readonly operatorProxies?: readonly UpstreamProxy[];
  /** Maximum number of connections to a browser's proxy, and from there to the network; 256 by default. */
  readonly maxConnections?: number;
  /** Resolves names; by default with DNS, and then with the system's resolver. */
  readonly lookup?: Lookup;
  /** Time limit in ms for resolving a name, and for connecting with the upstream handshake. Default: 20,000 each. */
  readonly connectTimeoutMs?: number;
  /**
   * Time limit in ms for the first byte of an HTTP proxy's response to a plain request; 120,000 by default. For a proxy
   * that has never responded, the limit is `connectTimeoutMs`.
   */
  readonly answerTimeoutMs?: number;
};

/** Time in ms before an allowed site behind a proxy is rechecked, and the maximum number of such sites per browser. */
const [REMEMBERED_MS, MAX_REMEMBERED] = [30_000, 1000];

/** Creates a forward proxy per browser, which checks addresses and connects directly or through an upstream proxy. */
export function newEgress({
  rules,
  log,
  operatorProxies = [],
  maxConnections = 256,
  lookup = newLookup(),
  connectTimeoutMs = 20_000,
  answerTimeoutMs = 120_000,
}: EgressOptions): Egress {
  const shared = newSharedLookup(lookup, connectTimeoutMs);
  const openRoute = (upstream: UpstreamProxy | undefined, traffic: TrafficCounter): Route => {
    const own = operatorProxies.find((proxy) => isSame(proxy, upstream));
    const resolve = { rules, lookup: shared, ownNetworks: readOwnNetworks() };
    return new Route({
      upstream,
      rules,
      resolve: own === undefined ? resolve : { ...resolve, rules: NO_RULES },
      checkBehind: own === undefined || own.isResolver === true ? undefined : newSiteCheck(resolve),
      traffic,
      connectTimeoutMs,
      answerTimeoutMs,
    });
  };
  return {
    startProxy(upstream) {
      const traffic = new TrafficCounter(maxConnections);
      let isDisposed = false;
      let route = upstream === "nowhere" ? undefined : openRoute(upstream, traffic);
      const server = newProxyServer(
        async (work) => {
          // Restart work that a reroute interrupts.
          for (;;) {
            const current = route;
            if (current === undefined) throw notInUse();
            try {
              const result = await work(current);
              if (current === route) return result;
            } catch (error) {
              if (current === route) throw error;
            }
          }
        },
        { log, maxConnections },
      );
      return {
        accept: (socket) => server.accept(socket),
        traffic: () => traffic.total,
        reroute(next) {
          if (isDisposed) return;
          const previous = route;
          route = openRoute(next, traffic);
          previous?.cut();
        },
        [Symbol.dispose]() {
          isDisposed = true;
          route?.cut();
          server[Symbol.dispose]();
        },
      };
    },
  };
}

type ProbeOptions = {
  /** Resolves names; by default, uses DNS first, then the system's resolver. */
  readonly lookup?: Lookup;
  /** Time limit in ms for resolving the proxy's name, and for the proxy's response; 10,000 each by default. */
  readonly timeoutMs?: number;
};

/** Checks proxies by requesting a tunnel with their credentials, like browsers. Proxies may have private addresses. */
export function newProxyProbe({ lookup = newLookup(), timeoutMs = 10_000 }: ProbeOptions = {}): ProxyProbe {
  const shared = newSharedLookup(lookup, timeoutMs);
  return {
    async probe(upstream, signal) {
      const route = new Route({
        upstream,
        rules: NO_RULES,
        resolve: { rules: NO_RULES, lookup: shared, ownNetworks: [] },
        checkBehind: undefined,
        traffic: new TrafficCounter(1),
        connectTimeoutMs: timeoutMs,
        answerTimeoutMs: timeoutMs,
      });
      try {
        return await route.probe(signal);
      } finally {
        route.cut();
      }
    },
  };
}

/** Returns a check for sites behind a proxy. The check briefly caches allowed sites: pages have many resources. */
function newSiteCheck(options: Omit<ResolveOptions, "isUpstream">): (host: string) => Promise<void> {
  const allowed = new Map<string, number>();
  return async (host) => {
    const nowMs = performance.now();
    if ((allowed.get(host) ?? 0) > nowMs) return;
    await checkBehindProxy(host, options);
    if (allowed.size >= MAX_REMEMBERED) allowed.clear();
    allowed.set(host, nowMs + REMEMBERED_MS);
  };
}

function readOwnNetworks(): readonly AddressRange[] {
  const entries = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return entries.map(({ cidr }) => readAddressRange(cidr ?? "")).filter((range) => range !== undefined);
}

function isSame(one: UpstreamProxy, other: UpstreamProxy | undefined): boolean {
  return (
    one.scheme === other?.scheme &&
    one.host === other.host &&
    one.port === other.port &&
    one.credentials?.username === other.credentials?.username &&
    one.credentials?.password === other.credentials?.password
  );
}
