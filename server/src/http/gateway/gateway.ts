import type { IncomingMessage, Server } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { openDevtools } from "./devtools.ts";
import type { Devtools } from "./devtools.ts";
import { keepEarlyBytes } from "./early-bytes.ts";
import { GATEWAY_LIMITS } from "./limits.ts";
import type { After, GatewayLimits } from "./limits.ts";
import { answerRefusal } from "./refusal.ts";
import type { RenderedRefusal, UpgradeRefusal } from "./refusal.ts";
import { kernelSendQueues } from "./send-queues.ts";
import { splice } from "./splice.ts";
import type { Splice } from "./splice.ts";
import { watchStalledClients } from "./stalled-clients.ts";
import type { GatewayTarget } from "./target.ts";
import { checkHandshake, checkHost, checkOrigin, readBrowserId } from "./upgrade-rules.ts";

const GOING_AWAY = 1001;

export type GatewayOptions = {
  /** The open browser with this id, as it stands in the browser's address. The id is a secret. */
  find(id: string): GatewayTarget | undefined;
  /** Path of `RBS_PUBLIC_URL` without a slash at its end, or empty. A reverse proxy may strip it or not. */
  readonly pathPrefix: string;
  /** Host of `RBS_PUBLIC_URL`, with or without port. */
  readonly publicHost: string | undefined;
  /** `RBS_ORIGINS`, spelled as browsers do: `https://app.example`. */
  readonly origins: ReadonlySet<string>;
  /** Puts a refusal into the words and headers of the HTTP server's other failures, and logs it where it is due. */
  renderRefusal(refusal: UpgradeRefusal): RenderedRefusal;
  readonly after: After;
  /** What differs from `GATEWAY_LIMITS`. */
  readonly limits?: Partial<GatewayLimits>;
};

/** Where DevTools clients come in. Disposing refuses new ones, ends all with 1001 and waits until they are gone. */
export interface Gateway extends AsyncDisposable {
  /** Clients connected or connecting. */
  readonly clients: number;
}

/**
 * Takes all upgrades of a server: finds the browser, repeats the upgrade to it, and from its 101 on passes bytes. The
 * server has to be made with `isWebSocketUpgrade` as its `shouldUpgradeCallback`.
 */
export function attachGateway(server: Server, options: GatewayOptions): Gateway {
  const { after } = options;
  const limits = { ...GATEWAY_LIMITS, ...options.limits };
  const stalled = watchStalledClients({ ...limits, after, readSendQueues: kernelSendQueues() });
  const disposal = new AbortController();
  const handshakes = new Set<Promise<void>>();
  const splices = new Set<Splice>();
  /** Clients of each browser, connected or connecting. */
  const clients = new Map<GatewayTarget, number>();

  function onUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    // Failures of a socket are seen as its closing; without a listener they would end the process.
    client.on("error", () => {});
    if (!(client instanceof Socket)) return void client.destroy();
    client.setTimeout(0);
    client.setNoDelay(true);
    client.setKeepAlive(true, limits.keepAliveIdleMs, limits.keepAliveIntervalMs, limits.keepAliveProbes);

    const admitted = admit(request, options);
    if ("refusal" in admitted) return refuse(client, admitted.refusal);
    const { target } = admitted;
    const others = clients.get(target) ?? 0;
    if (disposal.signal.aborted) return refuse(client, STOPPING);
    if (others >= limits.maxClients) return refuse(client, CROWDED);
    clients.set(target, others + 1);
    client.once("close", () => countOut(target));
    const handshake = shakeHands(request, client, head, target);
    handshakes.add(handshake);
    void handshake.finally(() => handshakes.delete(handshake));
  }

  function countOut(target: GatewayTarget): void {
    const left = (clients.get(target) ?? 0) - 1;
    if (left > 0) clients.set(target, left);
    else clients.delete(target);
  }

  async function shakeHands(
    request: IncomingMessage,
    client: Socket,
    head: Buffer,
    target: GatewayTarget,
  ): Promise<void> {
    const deadline = new AbortController();
    const cancel = after(limits.handshakeMs, () => deadline.abort(new Error("The browser did not answer in time.")));
    const early = keepEarlyBytes(client, head, limits.maxEarlyBytes);
    const signal = AbortSignal.any([early.left, deadline.signal, disposal.signal]);
    const outcome = await openDevtools(target, request, limits.maxAnswerHeadBytes, signal).catch(toUnreachable);
    cancel();
    early.putBack();
    if ("socket" in outcome) connect(client, outcome, target);
    else if (early.left.aborted) client.destroy();
    else refuse(client, reconsider(request, outcome));
  }

  /** A browser that ended meanwhile is one that is not there. */
  function reconsider(request: IncomingMessage, refusal: UpgradeRefusal): UpgradeRefusal {
    if (disposal.signal.aborted) return STOPPING;
    const admitted = admit(request, options);
    return "refusal" in admitted ? admitted.refusal : refusal;
  }

  function connect(client: Socket, devtools: Devtools, target: GatewayTarget): void {
    client.write(devtools.answerHead);
    const connection = splice(client, devtools.socket, limits, after);
    splices.add(connection);
    const leave = target.join(connection);
    const unwatch = stalled.watch(client, () => connection.cut());
    void connection.left.then(leave).finally(unwatch);
    void connection.closed.then(() => splices.delete(connection));
  }

  function refuse(client: Socket, refusal: UpgradeRefusal): void {
    answerRefusal(client, options.renderRefusal(refusal), after, limits.closeGraceMs);
  }

  server.on("upgrade", onUpgrade);
  return {
    get clients() {
      return handshakes.size + splices.size;
    },
    async [Symbol.asyncDispose]() {
      disposal.abort();
      await Promise.all(handshakes);
      for (const connection of splices) connection.end(GOING_AWAY, "browser closed: shutdown");
      await Promise.all([...splices].map((connection) => connection.closed));
    },
  };
}

type Admission = { readonly target: GatewayTarget } | { readonly refusal: UpgradeRefusal };

function admit(request: IncomingMessage, options: GatewayOptions): Admission {
  const id = readBrowserId(request.url ?? "", options.pathPrefix);
  if (id === undefined) {
    return { refusal: { status: 404, name: "NotFound", message: "There is no WebSocket at this path." } };
  }
  const unfit = checkHandshake(request) ?? checkOrigin(request, options.origins);
  if (unfit) return { refusal: unfit };
  const target = options.find(id);
  if (!target) {
    const message = "No open browser has this address: it may have been closed, or the address may be incomplete.";
    return { refusal: { status: 404, name: "BrowserNotFound", message } };
  }
  const stranger = checkHost(request, [options.publicHost, target.openedHost]);
  if (stranger) return { refusal: stranger };
  return { target };
}

const STOPPING: UpgradeRefusal = {
  status: 503,
  name: "BrowserUnavailable",
  message: "The server is being stopped and takes no connections; try again when it has restarted.",
  headers: { "Retry-After": "10" },
};

const CROWDED: UpgradeRefusal = {
  status: 503,
  name: "BrowserUnavailable",
  message: "This browser has as many connections as it can have; close some and try again.",
  headers: { "Retry-After": "1" },
};

function toUnreachable(cause: unknown): UpgradeRefusal {
  return { status: 502, name: "BadGateway", message: "The browser did not take the connection; try again.", cause };
}
