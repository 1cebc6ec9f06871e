import { once } from "node:events";
import { type RequestListener, type Server, createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";

/** A web site on 127.0.0.1. */
export type Site = AsyncDisposable & {
  readonly port: number;
  readonly url: string;
  /** `Host` and path of each request received so far. */
  readonly visits: readonly string[];
};

export const TITLE = "A local page";

/**
 * @param isSecure Whether the site uses TLS, with a certificate that browsers don't trust.
 * @param html The content of all pages. Default: a page that shows the request's cookies.
 */
export async function openSite({ isSecure = false, html }: { isSecure?: boolean; html?: string } = {}): Promise<Site> {
  const visits: string[] = [];
  const answer: RequestListener = (request, response) => {
    visits.push(`${request.headers.host}${request.url}`);
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(html ?? showCookies(request.headers.cookie));
  };
  const server: Server = isSecure ? createTlsServer({ key: KEY, cert: CERTIFICATE }, answer) : createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${isSecure ? "https" : "http"}://127.0.0.1:${port}/`,
    visits,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function showCookies(cookie: string | undefined): string {
  return `<!doctype html><title>${TITLE}</title><h1>${TITLE}</h1><p id="cookie">${cookie}</p>`;
}
