import type { IncomingMessage, Server } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { withTimeout } from "../concurrency/abortable.ts";
import { toCloseNotice } from "../domain/browser/end.ts";
import type { Clock } from "../ports/clock.ts";
import { newDesktopUpstreams } from "./upstream/desktop-upstream.ts";
import { newDevtoolsUpstream } from "./upstream/devtools-upstream.ts";
import { bufferEarlyBytes } from "./upgrade/early-bytes.ts";
import { GATEWAY_LIMITS, type GatewayLimits } from "./relay/limits.ts";
import type { Relay } from "./relay/relay.ts";
import { readKernelSendQueues } from "./relay/send-queues.ts";
import { watchStalledClients } from "./relay/stalled-clients.ts";
import { type RenderedRefusal, sendRefusal, type UpgradeRefusal } from "./upgrade/refusal.ts";
import { type AcceptedRoute, type Route, routeUpgrade, type UpgradeOptions } from "./upgrade/route.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { newWorkerUpstream } from "./upstream/worker-upstream.ts";

export type GatewayOptions = UpgradeOptions & {
  /** Renders a refusal in the same format as the HTTP server's errors, and logs it. */
  renderRefusal(refusal: UpgradeRefusal): RenderedRefusal;
  readonly clock: Pick<Clock, "after">;
  /** Overrides of `GATEWAY_LIMITS`. */
  readonly limits?: Partial<GatewayLimits>;
};

/**
 * Accepts WebSocket connections from DevTools clients and desktop viewers. Disposing refuses new clients, closes
 * connected clients with 1001, and waits until all connections are closed.
 */
export interface Gateway extends AsyncDisposable {
  /** Number of clients that are connected or connecting. */
  readonly clients: number;
}

/** An upgrade request, its connection, and the bytes that arrived after its head. */
type Upgrade = { readonly request: IncomingMessage; readonly client: Socket; readonly head: Buffer };

/**
 * Handles all of a server's upgrades: connects each client to its browser or desktop, and relays their bytes. Create
 * the server with `isWebSocketUpgrade` as its `shouldUpgradeCallback`.
 */
export function attachGateway(server: Server, options: GatewayOptions): Gateway {
  const { clock } = options;
  const limits = { ...GATEWAY_LIMITS, ...options.limits };
  const watchStalled = watchStalledClients({ ...limits, clock, readSendQueues: readKernelSendQueues });
  const toDesktopUpstream = newDesktopUpstreams(limits, clock);
  const disposal = new AbortController();
  const handshakes = new Set<Promise<void>>();
  const relays = new Set<Relay>();
  /** Number of connected or connecting clients of each browser, desktop or worker. */
  const clients = new Map<object, number>();

  function onUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    // An error also closes the socket. Without a listener, the event would crash the process.
    client.on("error", () => {});
    if (!(client instanceof Socket)) return void client.destroy();
    client.setTimeout(0);
    client.setNoDelay(true);
    client.setKeepAlive(true, limits.keepAliveIdleMs, limits.keepAliveIntervalMs, limits.keepAliveProbes);

    const upgrade = { request, client, head };
    const route = routeUpgrade(request, options);
    if (route.is === "refused" && route.mayBeNew === true && options.refreshWorkers !== undefined)
      return acceptLater(upgrade, options.refreshWorkers);
    accept(upgrade, route);
  }

  function acceptLater(upgrade: Upgrade, refresh: () => Promise<void>): void {
    const { request, client } = upgrade;
    if (isFull()) return refuse(client, toFull("server"));
    const refreshed = refresh()
      .finally(() => handshakes.delete(refreshed))
      .then(
        () => accept(upgrade, routeUpgrade(request, options)),
        (cause: unknown) => refuse(client, { ...NO_WORKER, cause }),
      );
    handshakes.add(refreshed);
  }

  function accept(upgrade: Upgrade, route: Route): void {
    const { client } = upgrade;
    // The client may have disconnected while `refreshWorkers` ran.
    if (client.destroyed) return;
    if (route.is === "refused") return refuse(client, route.refusal);
    const upstream = toUpstream(route);
    const others = clients.get(upstream.target) ?? 0;
    if (disposal.signal.aborted) return refuse(client, STOPPING);
    if (!upstream.hasCapacity(others)) return refuse(client, toFull(upstream.name));
    if (isFull()) return refuse(client, toFull("server"));
    clients.set(upstream.target, others + 1);
    client.once("close", () => removeClient(upstream.target));
    const handshake = connect(upgrade, upstream);
    handshakes.add(handshake);
    void handshake.finally(() => handshakes.delete(handshake));
  }

  function isFull(): boolean {
    return handshakes.size + relays.size >= limits.maxAll;
  }

  function toUpstream(route: AcceptedRoute): Upstream {
    if (route.is === "devtools") return newDevtoolsUpstream(route.target, limits, clock);
    return route.is === "desktop" ? toDesktopUpstream(route.target) : newWorkerUpstream(route.target, limits, clock);
  }

  function removeClient(target: object): void {
    const left = (clients.get(target) ?? 0) - 1;
    if (left > 0) clients.set(target, left);
    else clients.delete(target);
  }

  async function connect({ request, client, head }: Upgrade, upstream: Upstream): Promise<void> {
    const early = bufferEarlyBytes(client, head, limits.maxEarlyBytes);
    const limit = {
      timeoutMs: limits.handshakeMs,
      clock,
      toError: () => new Error(`The ${upstream.name} did not respond in time.`),
      signal: AbortSignal.any([early.left, disposal.signal]),
    };
    const result = await withTimeout(limit, (signal) => upstream.connect(request, signal)).catch((cause: unknown) =>
      toUnreachable(upstream, cause),
    );
    early.putBack();
    if (typeof result === "function") track(client, result(client));
    else if (early.left.aborted) client.destroy();
    else refuse(client, recheck(request, result));
  }

  /** Checks the request again, because the browser may have ended since the first check. */
  function recheck(request: IncomingMessage, refusal: UpgradeRefusal): UpgradeRefusal {
    if (disposal.signal.aborted) return STOPPING;
    const route = routeUpgrade(request, options);
    return route.is === "refused" ? route.refusal : refusal;
  }

  function track(client: Socket, relay: Relay | undefined): void {
    if (relay === undefined) return;
    relays.add(relay);
    const unwatch = watchStalled(client, () => relay.cut());
    void relay.left.then(unwatch);
    void relay.closed.then(() => relays.delete(relay));
  }

  function refuse(client: Socket, refusal: UpgradeRefusal): void {
    sendRefusal(client, options.renderRefusal(refusal), clock, limits.closeGraceMs);
  }

  server.on("upgrade", onUpgrade);
  return {
    get clients() {
      return handshakes.size + relays.size;
    },
    async [Symbol.asyncDispose]() {
      disposal.abort();
      await Promise.all(handshakes);
      const { code, reason } = toCloseNotice("shutdown");
      for (const relay of relays) relay.end(code, reason);
      await Promise.all([...relays].map((relay) => relay.closed));
    },
  };
}

const STOPPING = unavailable(
  "The server is shutting down and doesn't accept connections. Try again when it has restarted.",
  10,
);

const NO_WORKER = unavailable("The server that runs this browser can't be reached now. Try again in a few seconds.", 5);

function toFull(name: string): UpgradeRefusal {
  return unavailable(`This ${name} has reached its connection limit. Close some connections and try again.`, 1);
}

function unavailable(message: string, retryAfterS: number): UpgradeRefusal {
  return { status: 503, name: "BrowserUnavailable", message, headers: { "Retry-After": String(retryAfterS) } };
}

function toUnreachable({ name }: Upstream, cause: unknown): UpgradeRefusal {
  if (name === "worker") return { ...NO_WORKER, cause };
  return { status: 502, name: "BadGateway", message: `The ${name} did not accept the connection: try again.`, cause };
}
