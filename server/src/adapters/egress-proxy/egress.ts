import { networkInterfaces } from "node:os";
import { RequestError } from "proxy-chain";
import type { EgressPolicy } from "../../domain/network/address-policy.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { ProxyEndpoint, Egress, EgressProxy } from "../../ports/egress.ts";
import type { Log } from "../../ports/log.ts";
import { coalesce, limit, type Lookup } from "./admission.ts";
import { Connections } from "./connections.ts";
import { DoorwayServer } from "./doorway-server.ts";
import { Meter } from "./meter.ts";
import { notInUse } from "./refusal.ts";
import { nameResolver } from "./resolve-name.ts";
import { Route } from "./route.ts";
import { Switchyard } from "./switchyard.ts";

export type EgressOptions = {
  readonly policy: EgressPolicy;
  readonly log: Log;
  /** Proxies of the operator's own choice: they may stand at private addresses. */
  readonly operatorProxies?: readonly UpstreamProxy[];
  /** Resolves names; by default by DNS, then as the system does. */
  readonly lookup?: Lookup;
  /** Time allowed for a name to resolve, then for a connection with its upstream's handshake; 20,000 by default. */
  readonly connectTimeoutMs?: number;
  /**
   * Time that an HTTP proxy may keep a plain request waiting for the first byte of its answer; 120,000 by default. A
   * proxy that has not answered anything yet has no longer than `connectTimeoutMs`.
   */
  readonly answerTimeoutMs?: number;
};

/** Ways to the network by one proxy-chain server a browser. */
export function createEgress({
  policy,
  log,
  operatorProxies = [],
  lookup = nameResolver(),
  connectTimeoutMs = 20_000,
  answerTimeoutMs = 120_000,
}: EgressOptions): Egress {
  const resolve = coalesce(limit(lookup, connectTimeoutMs));
  const openRoute = (upstream: UpstreamProxy | undefined, meter: Meter): Route => {
    const isTrusted = operatorProxies.some((proxy) => isSame(proxy, upstream));
    const admission = {
      policy: isTrusted ? "any" : policy,
      lookup: resolve,
      ownAddresses: readOwnAddresses(),
    } as const;
    return new Route({
      upstream,
      admission,
      connections: new Connections(meter, connectTimeoutMs),
      silenceMs: { first: connectTimeoutMs, later: answerTimeoutMs },
    });
  };
  return {
    async open(doorway: ProxyEndpoint, upstream: UpstreamProxy | "nowhere" | undefined): Promise<EgressProxy> {
      const meter = new Meter();
      let isOpen = upstream !== "nowhere";
      const yard = new Switchyard(openRoute(upstream === "nowhere" ? undefined : upstream, meter));
      const through = async <T>(work: (route: Route) => Promise<T>): Promise<T> => {
        if (!isOpen) throw notInUse();
        return yard.through(work);
      };
      const server = new DoorwayServer({
        clear: (target) => through((route) => route.clear(target)),
        tunnel: (target, signal) => through((route) => route.tunnel(target, signal)),
      });
      server.on("requestFailed", ({ error }: { error: Error }) => {
        // What the browser is answered is its own business. Of anything else, only the kind: its text may hold more.
        if (!(error instanceof RequestError)) log.error("egress.request_failed", { error: error.name });
      });
      const port = await server.listenAt(doorway);
      let closing: Promise<void> | undefined;
      return {
        port,
        traffic: () => meter.traffic(),
        reroute(next) {
          if (closing !== undefined) return;
          yard.change(openRoute(next, meter));
          isOpen = true;
        },
        [Symbol.asyncDispose]() {
          yard.cut();
          return (closing ??= server.close(true));
        },
      };
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
