import { once } from "node:events";
import { createServer } from "node:http";
import type { UpstreamProxy } from "../../src/domain/network/upstream-proxy.ts";
import type { ProxyEndpoint, Egress, EgressProxy } from "../../src/ports/egress.ts";

/** Ways that lead nowhere: every request is noted and answered with the same page. */
export class FakeEgress implements Egress {
  /** What was asked for: method and URL, or host and port of a tunnel. */
  readonly asked: string[] = [];
  /** The upstream of each way: what it was opened with, and each it was rerouted to. */
  readonly upstreams: (UpstreamProxy | "nowhere" | undefined)[] = [];
  /** What the next `open` rejects with. */
  failure: Error | undefined;
  #open = 0;

  /** Ways that are not disposed. */
  get held(): number {
    return this.#open;
  }

  async open(doorway: ProxyEndpoint, upstream?: UpstreamProxy | "nowhere"): Promise<EgressProxy> {
    if (this.failure !== undefined) throw this.failure;
    this.upstreams.push(upstream);
    const server = createServer((request, response) => {
      this.asked.push(`${request.method} ${request.url}`);
      response.setHeader("Content-Type", "text/html");
      response.end("<!doctype html><title>Out</title>Answered by the way out.");
    });
    server.on("connect", (request, socket) => {
      this.asked.push(`CONNECT ${request.url}`);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      socket.on("error", () => {});
    });
    server.listen("path" in doorway ? { ...doorway, readableAll: true, writableAll: true } : { ...doorway, port: 0 });
    await once(server, "listening");
    this.#open += 1;
    const address = server.address();
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      this.#open -= 1;
      server.close();
      server.closeAllConnections();
    };
    return {
      port: typeof address === "object" ? address?.port : undefined,
      traffic: () => ({ sent: 0, received: 0 }),
      reroute: (next) => {
        if (closing === undefined) this.upstreams.push(next);
      },
      [Symbol.asyncDispose]: () => (closing ??= close()),
    };
  }
}
