import type { IncomingMessage, Server } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { routeUpgrade } from "./upgrade-route.ts";
import type { UpgradeOptions } from "./upgrade-route.ts";
import type { Connection } from "./connection.ts";
import { desktopUpstreams } from "./desktop-upstream.ts";
import { devtoolsUpstream } from "./devtools-upstream.ts";
import type { Upstream } from "./upstream.ts";
import { keepEarlyBytes } from "./early-bytes.ts";
import { GATEWAY_LIMITS } from "./limits.ts";
import type { After, GatewayLimits } from "./limits.ts";
import { answerRefusal } from "./refusal.ts";
import type { RenderedRefusal, UpgradeRefusal } from "./refusal.ts";
import { kernelSendQueues } from "./send-queues.ts";
import { watchStalledClients } from "./stalled-clients.ts";

const GOING_AWAY = 1001;

export type GatewayOptions = UpgradeOptions & {
  /** Puts a refusal into the words and headers of the HTTP server's other failures, and logs it where it is due. */
  renderRefusal(refusal: UpgradeRefusal): RenderedRefusal;
  readonly after: After;
  /** What differs from `GATEWAY_LIMITS`. */
  readonly limits?: Partial<GatewayLimits>;
};

/**
 * Where DevTools clients and desktop viewers come in. Disposing refuses new ones, ends all with 1001 and waits until they
 * are gone.
 */
export interface Gateway extends AsyncDisposable {
  /** Clients connected or connecting. */
  readonly clients: number;
}

/**
 * Takes all upgrades of a server and connects each with the browser or the desktop it wants. The server has to be made
 * with `isWebSocketUpgrade` as its `shouldUpgradeCallback`.
 */
export function attachGateway(server: Server, options: GatewayOptions): Gateway {
  const { after } = options;
  const limits = { ...GATEWAY_LIMITS, ...options.limits };
  const stalled = watchStalledClients({ ...limits, after, readSendQueues: kernelSendQueues() });
  const toDesktop = desktopUpstreams(limits, after);
  const disposal = new AbortController();
  const handshakes = new Set<Promise<void>>();
  const connections = new Set<Connection>();
  /** Clients of each browser or desktop, connected or connecting. */
  const clients = new Map<object, number>();

  function onUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    // Failures of a socket are seen as its closing; without a listener they would end the process.
    client.on("error", () => {});
    if (!(client instanceof Socket)) return void client.destroy();
    client.setTimeout(0);
    client.setNoDelay(true);
    client.setKeepAlive(true, limits.keepAliveIdleMs, limits.keepAliveIntervalMs, limits.keepAliveProbes);

    const admission = routeUpgrade(request, options);
    if (admission.is === "refused") return refuse(client, admission.refusal);
    const door =
      admission.is === "devtools" ? devtoolsUpstream(admission.target, limits, after) : toDesktop(admission.target);
    const others = clients.get(door.target) ?? 0;
    if (disposal.signal.aborted) return refuse(client, STOPPING);
    if (!door.hasRoom(others)) return refuse(client, toCrowded(door));
    clients.set(door.target, others + 1);
    client.once("close", () => countOut(door.target));
    const handshake = shakeHands(request, client, head, door);
    handshakes.add(handshake);
    void handshake.finally(() => handshakes.delete(handshake));
  }

  function countOut(target: object): void {
    const left = (clients.get(target) ?? 0) - 1;
    if (left > 0) clients.set(target, left);
    else clients.delete(target);
  }

  async function shakeHands(request: IncomingMessage, client: Socket, head: Buffer, door: Upstream): Promise<void> {
    const deadline = new AbortController();
    const cancel = after(limits.handshakeMs, () => deadline.abort(new Error("The browser did not answer in time.")));
    const early = keepEarlyBytes(client, head, limits.maxEarlyBytes);
    const signal = AbortSignal.any([early.left, deadline.signal, disposal.signal]);
    const outcome = await door.open(request, signal).catch((cause: unknown) => toUnreachable(door, cause));
    cancel();
    early.putBack();
    if (typeof outcome === "function") follow(client, outcome(client));
    else if (early.left.aborted) client.destroy();
    else refuse(client, reconsider(request, outcome));
  }

  /** A browser that ended meanwhile is one that is not there. */
  function reconsider(request: IncomingMessage, refusal: UpgradeRefusal): UpgradeRefusal {
    if (disposal.signal.aborted) return STOPPING;
    const admission = routeUpgrade(request, options);
    return admission.is === "refused" ? admission.refusal : refusal;
  }

  function follow(client: Socket, connection: Connection | undefined): void {
    if (connection === undefined) return;
    connections.add(connection);
    const unwatch = stalled.watch(client, () => connection.cut());
    void connection.left.then(unwatch);
    void connection.closed.then(() => connections.delete(connection));
  }

  function refuse(client: Socket, refusal: UpgradeRefusal): void {
    answerRefusal(client, options.renderRefusal(refusal), after, limits.closeGraceMs);
  }

  server.on("upgrade", onUpgrade);
  return {
    get clients() {
      return handshakes.size + connections.size;
    },
    async [Symbol.asyncDispose]() {
      disposal.abort();
      await Promise.all(handshakes);
      for (const connection of connections) connection.end(GOING_AWAY, "browser closed: shutdown");
      await Promise.all([...connections].map((connection) => connection.closed));
    },
  };
}

const STOPPING: UpgradeRefusal = {
  status: 503,
  name: "BrowserUnavailable",
  message: "The server is being stopped and takes no connections; try again when it has restarted.",
  headers: { "Retry-After": "10" },
};

function toCrowded({ name }: Upstream): UpgradeRefusal {
  return {
    status: 503,
    name: "BrowserUnavailable",
    message: `This ${name} has as many connections as it can have; close some and try again.`,
    headers: { "Retry-After": "1" },
  };
}

function toUnreachable({ name }: Upstream, cause: unknown): UpgradeRefusal {
  return { status: 502, name: "BadGateway", message: `The ${name} did not take the connection; try again.`, cause };
}
