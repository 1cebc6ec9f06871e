import { networkInterfaces } from "node:os";
import type { EgressPolicy } from "../../domain/network/address-policy.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Egress } from "../../ports/egress.ts";
import type { Log } from "../../ports/log.ts";
import type { ProxyProbe } from "../../ports/proxy-probe.ts";
import { TrafficCounter } from "./connections.ts";
import { newProxyServer } from "./proxy-server.ts";
import { notInUse } from "./refusal.ts";
import { type Lookup, newLookup, newSharedLookup } from "./resolve.ts";
import { Route } from "./route.ts";

export type EgressOptions = {
  readonly policy: EgressPolicy;
  readonly log: Pick<Log, "error">;
  /** The operator's own proxies: they may have private addresses. */
  readonly operatorProxies?: readonly UpstreamProxy[];
  /** Resolves names. By default it asks DNS, and then the system's resolver. */
  readonly lookup?: Lookup;
  /**
   * Time allowed for a name to resolve, and again for the connection and the upstream's handshake; 20,000 by default.
   */
  readonly connectTimeoutMs?: number;
  /**
   * Time that an HTTP proxy has for the first byte of its answer to a plain request; 120,000 by default. A proxy that
   * has never answered has only `connectTimeoutMs`.
   */
  readonly answerTimeoutMs?: number;
};

/** One forward proxy per browser. It resolves names, checks addresses, and connects directly or through an upstream. */
export function newEgress({
  policy,
  log,
  operatorProxies = [],
  lookup = newLookup(),
  connectTimeoutMs = 20_000,
  answerTimeoutMs = 120_000,
}: EgressOptions): Egress {
  const shared = newSharedLookup(lookup, connectTimeoutMs);
  const openRoute = (upstream: UpstreamProxy | undefined, traffic: TrafficCounter): Route => {
    const isTrusted = operatorProxies.some((proxy) => isSame(proxy, upstream));
    return new Route({
      upstream,
      resolve: { policy: isTrusted ? "any" : policy, lookup: shared, ownAddresses: readOwnAddresses() },
      traffic,
      connectTimeoutMs,
      answerTimeoutMs,
    });
  };
  return {
    open(upstream) {
      const traffic = new TrafficCounter();
      let isDisposed = false;
      let route = upstream === "nowhere" ? undefined : openRoute(upstream, traffic);
      const server = newProxyServer(async (work) => {
        // Work that a reroute interrupts starts again on the next route.
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
      }, log);
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
  /** Resolves names. By default it asks DNS, and then the system's resolver. */
  readonly lookup?: Lookup;
  /** Time allowed for the proxy's name to resolve, and again for its answer; 10,000 by default. */
  readonly timeoutMs?: number;
};

/** Requests a tunnel from proxies as browsers do, with their credentials. Proxies may have private addresses. */
export function newProxyProbe({ lookup = newLookup(), timeoutMs = 10_000 }: ProbeOptions = {}): ProxyProbe {
  const shared = newSharedLookup(lookup, timeoutMs);
  return {
    async probe(upstream, signal) {
      const route = new Route({
        upstream,
        resolve: { policy: "any", lookup: shared, ownAddresses: new Set() },
        traffic: new TrafficCounter(),
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

function readOwnAddresses(): ReadonlySet<string> {
  return new Set(Object.values(networkInterfaces()).flatMap((entries) => entries?.map(({ address }) => address) ?? []));
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
