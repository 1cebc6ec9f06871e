import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { systemClock } from "../adapters/system-clock/system-clock.ts";
import type { Config } from "../config/config.ts";
import { attachGateway } from "../gateway/gateway.ts";
import { isWebSocketUpgrade } from "../gateway/upgrade-rules.ts";
import type { Routes } from "./routes.ts";

/** How long a client may take to send a request and to hear its answer, once all browsers of a stopping server ended. */
const LAST_ANSWERS_MS = 1000;

/** A site on a port. Disposing lets the answers under way be written, ends all connections and gives the port back. */
export type Listening = AsyncDisposable & {
  /** What a person opens. */
  readonly url: URL;
};

/**
 * @param newSite Makes the site; it may ask for the DevTools clients and viewers that are connected or connecting.
 * @throws {Error} When the port is taken.
 */
export async function listen(config: Config, newSite: (connections: () => number) => Routes): Promise<Listening> {
  const { app, gateway: options } = newSite(() => gateway.clients);
  const { fetch } = app;
  const server = createAdaptorServer({
    fetch,
    serverOptions: { shouldUpgradeCallback: isWebSocketUpgrade },
  }) as Server;
  const gateway = attachGateway(server, { ...options, clock: systemClock });
  const answersWritten = trackAnswers(server);
  const url = await bindPort(server, config);
  return {
    url,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      const late = new Promise<void>((resolve) => systemClock.after(LAST_ANSWERS_MS, resolve));
      await Promise.all([gateway[Symbol.asyncDispose](), Promise.race([answersWritten(), late])]);
      // Those that are left only wait for a next request.
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @returns Resolves when the answers in progress at the time of the call are written, or their clients have left; never rejects. */
function trackAnswers(server: Server): () => Promise<void> {
  const inProgress = new Set<ServerResponse>();
  server.on("request", (_, answer) => {
    inProgress.add(answer);
    answer.once("close", () => inProgress.delete(answer));
  });
  return async () => {
    await Promise.all([...inProgress].map((answer) => once(answer, "close")));
  };
}

async function bindPort(server: Server, { host, port }: Config): Promise<URL> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    throw new Error(`Port ${port} of ${host} can't be listened on: set RBS_PORT or RBS_HOST to others.`, { cause });
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  // What a person can open: a server that listens everywhere is reached on this machine by its own name.
  const name = ["0.0.0.0", "::"].includes(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return new URL(`http://${name}:${address.port}`);
}
