import { networkInterfaces } from "node:os";
import { RequestError } from "proxy-chain";
import type { EgressPolicy } from "../../domain/address-policy.ts";
import type { UpstreamProxy } from "../../domain/upstream-proxy.ts";
import type { Doorway, Egress, EgressWay } from "../../ports/egress.ts";
import type { Log } from "../../ports/log.ts";
import { admit, coalesce, limit, type Lookup } from "./admission.ts";
import { Connections } from "./connections.ts";
import { DialAgent } from "./dial-agent.ts";
import { DoorwayServer } from "./doorway-server.ts";
import { nameResolver } from "./resolve-name.ts";
import { createExit } from "./exits.ts";

export type EgressOptions = {
  readonly policy: EgressPolicy;
  readonly log: Log;
  /** Proxies of the operator's own choice: they may stand at private addresses. */
  readonly operatorProxies?: readonly UpstreamProxy[];
  /** Resolves names; by default by DNS, then as the system does. */
  readonly lookup?: Lookup;
  /** Time allowed for a name to resolve, then for a connection with its upstream's handshake; 20,000 by default. */
  readonly connectTimeoutMs?: number;
};

/** Ways to the network by one proxy-chain server a browser. */
export function createEgress({
  policy,
  log,
  operatorProxies = [],
  lookup = nameResolver(),
  connectTimeoutMs = 20_000,
}: EgressOptions): Egress {
  const resolve = coalesce(limit(lookup, connectTimeoutMs));
  return {
    async open(doorway: Doorway, upstream: UpstreamProxy | undefined): Promise<EgressWay> {
      const isTrusted = operatorProxies.some((proxy) => isSame(proxy, upstream));
      const admission = {
        policy: isTrusted ? "any" : policy,
        lookup: resolve,
        ownAddresses: readOwnAddresses(),
        isUpstream: upstream !== undefined,
      } as const;
      const exit = createExit(upstream);
      const connections = new Connections(connectTimeoutMs);
      const agent = new DialAgent((target, admitted) =>
        connections.open({ port: exit.peerOf(target).port, lookup: admitted }, (socket) =>
          exit.forRequests(socket, target),
        ),
      );
      const server = new DoorwayServer({
        proxyUrl: exit.proxyUrl,
        agent,
        admit: (target) => admit(exit.peerOf(target).host, admission),
        async tunnel(target, signal) {
          const peer = exit.peerOf(target);
          const admitted = await admit(peer.host, admission);
          return connections.open(
            { port: peer.port, lookup: admitted },
            (socket) => exit.forTunnel(socket, target),
            signal,
          );
        },
      });
      server.on("requestFailed", ({ error }: { error: Error }) => {
        // What the browser is answered is its own business. Of anything else, only the kind: its text may hold more.
        if (!(error instanceof RequestError)) log.error("egress.request_failed", { error: error.name });
      });
      const port = await server.listenAt(doorway);
      return {
        port,
        traffic: () => connections.traffic(),
        async [Symbol.asyncDispose]() {
          connections.cut();
          agent.destroy();
          await server.close(true);
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
