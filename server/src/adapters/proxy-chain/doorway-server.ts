import type { lookup as systemLookup } from "node:dns";
import { once } from "node:events";
import type { Agent, IncomingMessage } from "node:http";
import type { LookupFunction, Socket } from "node:net";
import { RequestError, Server } from "proxy-chain";
import type { Doorway } from "../../ports/egress.ts";
import type { Target } from "./exit.ts";
import { toRequestError } from "./refusal.ts";
import { splice } from "./splice.ts";

/** Chromium keeps connections to its proxy; each new one costs a process in the jail. */
const KEEP_ALIVE_MS = 60_000;

export type Passage = {
  readonly proxyUrl: string | undefined;
  /** Opens the connections that plain requests are written to. */
  readonly agent: Agent;
  /** Resolves and checks whom a request for the target has to go to. */
  admit(target: Target): Promise<LookupFunction>;
  /** Connects to the target; the caller owns the socket. */
  tunnel(target: Target, signal: AbortSignal): Promise<Socket>;
};

/**
 * proxy-chain's server at a doorway. It reads requests, forwards the plain ones and words the answers. Tunnels are ours:
 * proxy-chain's go to addresses nobody checked, have no time-out, and leave the target connected when a browser goes.
 */
export class DoorwayServer extends Server {
  readonly #passage: Passage;

  constructor(passage: Passage) {
    super({
      prepareRequestFunction: async ({ request, hostname, port }) => {
        dropConnectionHeaders(request);
        const lookup = await passage.admit({ host: hostname, port }).catch((error: unknown) => {
          throw toRequestError(error, true);
        });
        // proxy-chain would forward the request all the same, and nothing would ever end it.
        if (request.socket.destroyed) throw new RequestError("The client has left.\n", 499, {});
        return {
          httpAgent: passage.agent,
          dnsLookup: lookup as typeof systemLookup,
          ...(passage.proxyUrl !== undefined && { upstreamProxyUrl: passage.proxyUrl }),
        };
      },
    });
    this.#passage = passage;
    this.server.keepAliveTimeout = KEEP_ALIVE_MS;
    // An upload may take as long as it takes.
    this.server.requestTimeout = 0;
    // A connection that cannot be accepted (out of file descriptors) is the browser's loss, not the server's end.
    this.server.on("error", () => undefined);
  }

  /** @returns The port; undefined on a Unix socket. */
  async listenAt(doorway: Doorway): Promise<number | undefined> {
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

  override async onConnect(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const gone = new AbortController();
    socket.once("close", () => gone.abort());
    try {
      const { trgParsed } = this.getHandlerOpts(request);
      const host = trgParsed?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
      const target = await this.#passage.tunnel({ host, port: Number(trgParsed?.port) }, gone.signal);
      if (socket.destroyed) {
        target.destroy();
        return;
      }
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) socket.unshift(head);
      splice(socket, target);
    } catch (error) {
      this.failRequest(request, toRequestError(error, false) as NodeJS.ErrnoException);
    }
  }
}

/**
 * Takes out what concerns the browser's connection to us only (RFC 9110, section 7.6.1) and proxy-chain lets pass:
 * `Proxy-Connection`, which would tell a site that there is a proxy, and what `Connection` names.
 */
function dropConnectionHeaders(request: IncomingMessage): void {
  const named = (request.headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const dropped = new Set(["proxy-connection", ...named]);
  const raw = request.rawHeaders;
  for (let at = raw.length - 2; at >= 0; at -= 2) {
    if (dropped.has(raw[at]?.toLowerCase() ?? "")) raw.splice(at, 2);
  }
}
