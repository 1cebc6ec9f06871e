import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A browser's request for a page. */
export type Visit = {
  readonly headers: IncomingHttpHeaders;
  /** Whether the browser used the site as its proxy. */
  readonly isProxied: boolean;
  /** Resolves when the connection closes. The connection stays open as long as the page does. */
  readonly left: Promise<unknown>;
};

/** A page for one browser to visit. */
type Page = { readonly name: string; readonly visited: Promise<Visit> };

/** A small web site that browsers visit. It records what sites see. Disposing it closes all connections. */
export type Site = AsyncDisposable & {
  /** The site's URL, as browsers know it, with a slash at the end. */
  readonly url: URL;
  /** Creates a page, whose name is the last segment of its URL. The page never finishes loading. */
  newPage(): Page;
};

/** The site only serves the suite's own browsers. */
const MAX_CONNECTIONS = 100;
const HEAD = "<!doctype html><title>Conformance</title><p>The conformance suite tests this browser.";
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Opens the site. It is also a proxy that needs a user name and answers all requests itself.
 * @param base The URL under which browsers reach the site, at a port of this machine. With port 0, any free port.
 * @throws {Error} If the port can't be used.
 */
export async function openSite(base: string): Promise<Site> {
  const url = new URL(base);
  const awaited = new Map<string, (visit: Visit) => void>();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { url: target = "", headers, socket } = request;
    const name = target.slice(target.lastIndexOf("/") + 1);
    const isProxied = !target.startsWith("/");
    if (isProxied && headers["proxy-authorization"] === undefined) {
      response.writeHead(407, { "Proxy-Authenticate": 'Basic realm="Conformance"' }).end();
      return;
    }
    const visit = awaited.get(name);
    if (visit === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "text/html", "Cache-Control": "no-store" }).write(HEAD);
    visit({ headers, isProxied, left: once(socket, "close") });
  };
  const server = createServer(answer);
  server.maxConnections = MAX_CONNECTIONS;
  const isLoopback = LOOPBACK.test(url.hostname);
  server.listen({ port: Number(url.port || 80), ...(isLoopback && { host: url.hostname.replaceAll(/[[\]]/g, "") }) });
  await once(server, "listening");
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: new URL(url.origin),
    newPage() {
      const name = randomBytes(8).toString("hex");
      const { promise, resolve } = Promise.withResolvers<Visit>();
      awaited.set(name, resolve);
      return { name, visited: promise };
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
