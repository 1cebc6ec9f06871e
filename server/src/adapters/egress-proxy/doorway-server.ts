import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server } from "proxy-chain";
import type { ProxyEndpoint } from "../../ports/egress.ts";
import type { Target } from "./exit.ts";
import { forward } from "./forward.ts";
import { Refusal, toPage } from "./refusal.ts";
import type { Clearance } from "./route.ts";
import { splice } from "./splice.ts";

/** Chromium keeps connections to its proxy; each new one costs a process in the jail. */
const KEEP_ALIVE_MS = 60_000;
const HTTP_PORT = 80;

export type Passage = {
  /** Resolves and checks whom a plain request for the target has to go to. */
  clear(target: Target): Promise<Clearance>;
  /** Connects to the target; the caller owns the socket. */
  tunnel(target: Target, signal: AbortSignal): Promise<Socket>;
};

/**
 * proxy-chain's server at a doorway. It reads what is asked for and answers what is no request for a proxy. The ways out
 * are ours: proxy-chain's go to addresses nobody checked, have no time-outs, leave targets connected when a browser goes,
 * and leave a browser waiting for an answer that is none.
 */
export class DoorwayServer extends Server {
  readonly #passage: Passage;

  constructor(passage: Passage) {
    super();
    this.#passage = passage;
    this.server.keepAliveTimeout = KEEP_ALIVE_MS;
    // An upload may take as long as it takes.
    this.server.requestTimeout = 0;
    // A connection that cannot be accepted (out of file descriptors) is the browser's loss, not the server's end.
    this.server.on("error", () => undefined);
  }

  /** @returns The port; undefined on a Unix socket. */
  async listenAt(doorway: ProxyEndpoint): Promise<number | undefined> {
    // In a jail the browser runs as another user; the folder, not the file, says who may connect.
    const place = "path" in doorway ? { ...doorway, readableAll: true, writableAll: true } : { ...doorway, port: 0 };
    const listening = once(this.server, "listening");
    this.server.listen(place);
    await listening;
    const address = this.server.address();
    return typeof address === "object" ? address?.port : undefined;
  }

  // proxy-chain takes a socket without remote address for a dead one and destroys it; on a Unix socket none has one.
  override onConnection(socket: Parameters<Server["onConnection"]>[0]): void {
    this.registerConnection(socket);
    socket.on("error", () => undefined);
  }

  override async onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const clearance = await this.#passage.clear(this.#readTarget(request));
      // It would be forwarded all the same, and nothing would ever end it.
      if (!request.socket.destroyed) await forward(request, response, clearance);
    } catch (error) {
      if (error instanceof Refusal) refuse(request, response, error);
      else this.failRequest(request, error as NodeJS.ErrnoException);
    }
  }

  override async onConnect(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const gone = new AbortController();
    socket.once("close", () => gone.abort());
    try {
      const target = await this.#passage.tunnel(this.#readTarget(request), gone.signal);
      if (socket.destroyed) {
        target.destroy();
        return;
      }
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) socket.unshift(head);
      splice(socket, target);
    } catch (error) {
      this.failRequest(request, error as NodeJS.ErrnoException);
    }
  }

  /** @throws {RequestError} For what is no request to a proxy. */
  #readTarget(request: IncomingMessage): Target {
    const { trgParsed } = this.getHandlerOpts(request);
    const host = trgParsed?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
    return { host, port: Number(trgParsed?.port || HTTP_PORT) };
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.statusCode, {
    "Content-Type": "text/html; charset=utf-8",
    // What has not been read of the request can't be told from a next one.
    ...(!request.complete && { Connection: "close" }),
  });
  response.end(toPage(refusal));
}
