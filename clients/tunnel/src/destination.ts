import { TunnelFailure } from "./failure.ts";

/** The target of a tunnel: a browser's DevTools, or its desktop. */
export type Destination = {
  readonly kind: "devtools" | "desktop";
  /** The URL of its WebSocket: `ws:` or `wss:`. */
  readonly url: URL;
};

const DEVTOOLS = /\/devtools\/browser\/[^/]+\/?$/i;
const DESKTOP_PAGE = /\/desktop\/[^/]+\/?$/;

const WANTED =
  "give the address that Open returned, or the rfbUrl or url that StartRemoteDesktop returned, without changes.";

/**
 * Recognizes an address by its form.
 * @param address An `address` of Open, or an `rfbUrl` or `url` of StartRemoteDesktop.
 * @throws {TunnelFailure} `BadAddress`.
 */
export function readDestination(address: string): Destination {
  const url = URL.parse(address);
  const isWebSocket = url?.protocol === "ws:" || url?.protocol === "wss:";
  if (url === null || !(isWebSocket || url.protocol === "http:" || url.protocol === "https:")) {
    throw new TunnelFailure("BadAddress", `An address begins with ws:// or wss://: ${WANTED}`);
  }
  // The fragment of a desktop's page is its password. It is not sent.
  url.hash = "";
  if (DEVTOOLS.test(url.pathname)) {
    if (isWebSocket) return { kind: "devtools", url };
    throw new TunnelFailure("BadAddress", `A browser's address begins with ws:// or wss://, not ${url.protocol}//.`);
  }
  if (DESKTOP_PAGE.test(url.pathname)) return { kind: "desktop", url: toSocketOfPage(url) };
  if (isWebSocket && url.pathname.length > 1 && !/\/devtools\//i.test(url.pathname)) return { kind: "desktop", url };
  throw new TunnelFailure(
    "BadAddress",
    `${url.protocol}//${url.host}${shorten(url.pathname)} is not the address of a browser: ${WANTED}`,
  );
}

/** A desktop's page is at `…/desktop/<key>`, and its WebSocket is below that path. */
function toSocketOfPage({ protocol, host, pathname }: URL): URL {
  const isSecure = protocol === "https:" || protocol === "wss:";
  return new URL(`${isSecure ? "wss:" : "ws:"}//${host}${pathname.replace(/\/$/, "")}/rfb`);
}

/** The path without parts that may be secret, for messages. */
function shorten(path: string): string {
  return path.replaceAll(/[\w-]{16,}/g, "…");
}
