import { TunnelFailure } from "./failure.ts";

/** A tunnel's target: a browser's DevTools or desktop. */
export type Destination = {
  readonly kind: "devtools" | "desktop";
  /** The WebSocket's URL, which begins with `ws:` or `wss:`. */
  readonly url: URL;
};

const DEVTOOLS = /\/devtools\/browser\/[^/]+\/?$/i;
const DESKTOP_PAGE = /\/desktop\/[^/]+\/?$/;

const WANTED = "use the address that Open returned, or the rfbUrl or url that StartRemoteDesktop returned, unchanged.";

/**
 * Parses an address to determine the tunnel's target.
 * @param address An `address` from Open, or an `rfbUrl` or `url` from StartRemoteDesktop.
 * @throws {TunnelFailure} `BadAddress`.
 */
export function readDestination(address: string): Destination {
  const url = URL.parse(address);
  const isWebSocket = url?.protocol === "ws:" || url?.protocol === "wss:";
  if (url === null || !(isWebSocket || url.protocol === "http:" || url.protocol === "https:")) {
    throw new TunnelFailure("BadAddress", `An address begins with ws:// or wss://: ${WANTED}`);
  }
  // The fragment of the desktop page's URL is the desktop's password, which must not be sent.
  url.hash = "";
  if (DEVTOOLS.test(url.pathname)) {
    if (isWebSocket) return { kind: "devtools", url };
    throw new TunnelFailure("BadAddress", `A browser's address begins with ws:// or wss://, not ${url.protocol}//.`);
  }
  if (DESKTOP_PAGE.test(url.pathname)) return { kind: "desktop", url: toSocketOfPage(url) };
  if (isWebSocket && url.pathname.length > 1 && !/\/devtools\//i.test(url.pathname)) return { kind: "desktop", url };
  // Long words in a path may be secrets.
  const path = url.pathname.replaceAll(/[\w-]{16,}/g, "…");
  throw new TunnelFailure("BadAddress", `${url.protocol}//${url.host}${path} is not a browser's address: ${WANTED}`);
}

/** Converts a desktop page's URL, `…/desktop/<key>`, to the desktop's WebSocket URL, which is below the page's path. */
function toSocketOfPage({ protocol, host, pathname }: URL): URL {
  const isSecure = protocol === "https:" || protocol === "wss:";
  return new URL(`${isSecure ? "wss:" : "ws:"}//${host}${pathname.replace(/\/$/, "")}/rfb`);
}
