import { createServer } from "node:http";
import type { Socket } from "node:net";
import type { UpstreamProxy } from "../../src/domain/network/upstream-proxy.ts";
import type { Egress, EgressProxy } from "../../src/ports/egress.ts";

/** Proxies without a network, which record every request and respond with the same page. */
export class FakeEgress implements Egress {
  /** The method and URL of each request, or `CONNECT` with host and port. */
  readonly requests: string[] = [];
  /** The Accept-Language header of each request. */
  readonly languages: (string | undefined)[] = [];
  /** The upstreams that proxies were started with or rerouted to. */
  readonly upstreams: (UpstreamProxy | "nowhere" | undefined)[] = [];
  /** The error that the next `startProxy` throws. */
  failure: Error | undefined;
  readonly #open = new Set<EgressProxy>();

  /** Proxies that haven't been disposed of. */
  get held(): number {
    return this.#open.size;
  }

  startProxy(upstream: UpstreamProxy | "nowhere" | undefined): EgressProxy {
    if (this.failure !== undefined) throw this.failure;
    this.upstreams.push(upstream);
    const server = createServer((request, response) => {
      this.requests.push(`${request.method} ${request.url}`);
      this.languages.push(request.headers["accept-language"]);
      response.setHeader("Content-Type", "text/html");
      response.end("<!doctype html><title>Out</title>Answered by the fake proxy.");
    });
    server.on("connect", (request, socket) => {
      this.requests.push(`CONNECT ${request.url}`);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    const sockets = new Set<Socket>();
    const proxy: EgressProxy = {
      accept(socket) {
        sockets.add(socket);
        socket.on("error", () => {}).once("close", () => sockets.delete(socket));
        server.emit("connection", socket);
      },
      traffic: () => ({ sent: 0, received: 0 }),
      reroute: (next) => {
        if (this.#open.has(proxy)) this.upstreams.push(next);
      },
      [Symbol.dispose]: () => {
        this.#open.delete(proxy);
        for (const socket of sockets) socket.destroy();
      },
    };
    this.#open.add(proxy);
    return proxy;
  }
}
