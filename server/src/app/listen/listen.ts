import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { waitUpTo } from "../../concurrency/abortable.ts";
import type { Config } from "../../config/config.ts";
import { attachGateway } from "../../gateway/gateway.ts";
import { serveInTurn } from "../../gateway/connections/turns.ts";
import { ByteResponse, limitUnsentAnswers } from "../../gateway/connections/unsent-answers.ts";
import { limitConnections } from "../../gateway/connections/waiting-connections.ts";
import { isWebSocketUpgrade } from "../../gateway/upgrade/upgrade-request.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterCertificates } from "../../ports/cluster/cluster-certificates.ts";
import type { Log } from "../../ports/log.ts";
import type { Ports } from "../compose/ports.ts";
import type { Routes } from "./routes.ts";
import { toServerLimits } from "./server-limits.ts";

/** How long a stopping server waits for the last responses after all its browsers have ended. */
const LAST_RESPONSES_MS = 1000;

/** Time limit for receiving a request's headers, and the interval at which the server checks it. */
const [HEADERS_MS, CHECK_MS] = [10_000, 1000];

/** Maximum time for reading and discarding the rest of a body after the response. */
const DISCARD_MS = 20_000;

/** Maximum number of connections that the kernel queues for the server. Excess clients retry after a second. */
const BACKLOG = 4096;

/** Disposing sends the pending responses, closes all connections and releases the port. */
export type Listening = AsyncDisposable & {
  /** The address to open in a browser. */
  readonly url: URL;
  /** Number of DevTools clients and viewers that are connected or connecting. */
  readonly clients: number;
};

/**
 * Starts listening. This is the last step that needs root privileges, which are dropped before the first connection.
 * @param ports.certificates If set, only clients with a certificate from the same authority can connect.
 * @throws {Error} If the port is in use.
 */
export async function listen(
  config: Config,
  {
    clock,
    rights,
    log,
    certificates,
  }: Pick<Ports, "clock" | "rights" | "log"> & { readonly certificates?: ClusterCertificates | undefined },
  { app, gateway: options }: Routes,
): Promise<Listening> {
  const server = newServer(certificates);
  server.headersTimeout = HEADERS_MS;
  // Header size is limited instead. With a limit on the number of headers, Node would drop some, such as a second Host.
  server.maxHeadersCount = 0;
  const endHandshakes = followCertificates(server, certificates, log);
  const limits = toServerLimits(config);
  const responses = trackResponses();
  const listeners: readonly RequestListener[] = [
    limitConnections(server, limits.connections),
    limitUnsentAnswers({ limits: limits.unsent, toCaller: limits.toCaller, clock, log }),
    discardRest(clock),
    responses.track,
    // Otherwise, the listener would reset connections half a second after the response.
    getRequestListener(app.fetch, { autoCleanupIncoming: false }),
  ];
  serveInTurn(server, (request, response) => listeners.forEach((listener) => listener(request, response)));
  const gateway = attachGateway(server, { ...options, clock, limits: { maxAll: limits.clients } });
  const url = await rights.asRoot(() => bindPort(server, config));
  rights.giveUp();
  return {
    url,
    get clients() {
      return gateway.clients;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      await Promise.all([gateway[Symbol.asyncDispose](), waitUpTo(LAST_RESPONSES_MS, clock, responses.sent())]);
      // The remaining connections are idle and waiting for their next request.
      server.closeAllConnections();
      endHandshakes();
      await closed;
    },
  };
}

function newServer(certificates: ClusterCertificates | undefined): Server {
  const options = {
    ServerResponse: ByteResponse,
    shouldUpgradeCallback: isWebSocketUpgrade,
    // Otherwise, Node would send its own response out of order. The service itself rejects requests without a host.
    requireHostHeader: false,
    connectionsCheckingInterval: CHECK_MS,
  };
  if (certificates === undefined) return createServer(options);
  const tls = { ...certificates.current, requestCert: true, rejectUnauthorized: true, handshakeTimeout: HEADERS_MS };
  return createTlsServer({ ...options, ...tls });
}

/**
 * Uses renewed certificates for new connections. @returns A function that closes connections during their handshake.
 */
function followCertificates(server: Server, certificates: ClusterCertificates | undefined, log: Log): () => void {
  if (!(server instanceof TlsServer) || certificates === undefined) return () => {};
  certificates.onRenewed(() => server.setSecureContext(certificates.current));
  server.on("tlsClientError", (error, { remoteAddress, authorizationError }) => {
    // If a certificate is rejected, `error` only says that the connection was closed.
    log.sample("tls.refused", { remoteAddress, error: authorizationError ?? error });
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.once("close", () => sockets.delete(socket))));
  return () => sockets.forEach((socket) => socket.destroy());
}

/**
 * Reads and discards the rest of a body after the response, for a limited time. If the connection closed during
 * sending, the client would report a broken pipe instead of the response, and a reverse proxy would return 502.
 */
function discardRest(clock: Clock): RequestListener {
  return (request, response) => {
    response.once("finish", () => {
      if (request.complete) return;
      const cancel = clock.after(DISCARD_MS, () => request.socket.destroy());
      // Remove the listeners that read the start of the body, so that they don't buffer the rest.
      request.removeAllListeners("data").once("close", cancel).resume();
    });
  };
}

/** @returns `sent` resolves once responses in progress are sent or their clients have disconnected. Never rejects. */
function trackResponses(): { readonly track: RequestListener; sent(): Promise<void> } {
  const inProgress = new Set<ServerResponse>();
  return {
    track(_, response) {
      inProgress.add(response);
      response.once("close", () => inProgress.delete(response));
    },
    async sent() {
      await Promise.all([...inProgress].map((response) => once(response, "close")));
    },
  };
}

async function bindPort(server: Server, { host, port }: Config): Promise<URL> {
  server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(server, "listening");
  } catch (cause) {
    throw new Error(`The server can't listen on ${host}, port ${port}. Set RBS_PORT or RBS_HOST to another value.`, {
      cause,
    });
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server isn't listening on a TCP port.");
  // Browsers can't open 0.0.0.0 and ::.
  const name = ["0.0.0.0", "::"].includes(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return new URL(`http${server instanceof TlsServer ? "s" : ""}://${name}:${address.port}`);
}
