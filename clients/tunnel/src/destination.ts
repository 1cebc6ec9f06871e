import { TunnelFailure } from "./failure.ts";

/** The target of a tunnel: a browser's DevTools, or its desktop. */
export type Destination = {
  readonly kind: "devtools" | "desktop";
  /** The WebSocket's URL, which begins with `ws:` or `wss:`. */
  readonly url: URL;
};

const DEVTOOLS = /\/devtools\/browser\/[^/]+\/?$/i;
const DESKTOP_PAGE = /\/desktop\/[^/]+\/?$/;

const WANTED =
  "give the address that Open returned, or the rfbUrl or url that StartRemoteDesktop returned, without changes.";

/**
 * Determines an address's target by the address's form.
 * @param address An `address` of Open, or an `rfbUrl` or `url` of StartRemoteDesktop.
 * @throws {TunnelFailure} `BadAddress`.
 */
export function readDestination(address: string): Destination {
  const url = URL.parse(address);
  const isWebSocket = url?.protocol === "ws:" || url?.protocol === "wss:";
  if (url === null || !(isWebSocket || url.protocol === "http:" || url.protocol === "https:")) {
    throw new TunnelFailure("BadAddress", `An address begins with ws:// or wss://: ${WANTED}`);
  }
  // The fragment in the URL of a desktop's page is the desktop's password, which is not sent.
  url.hash = "";
  if (DEVTOOLS.test(url.pathname)) {
    if (isWebSocket) return { kind: "devtools", url };
    throw new TunnelFailure("BadAddress", `A browser's address begins with ws:// or wss://, not ${url.protocol}//.`);
  }
  if (DESKTOP_PAGE.test(url.pathname)) return { kind: "desktop", url: toSocketOfPage(url) };
  if (isWebSocket && url.pathname.length > 1 && !/\/devtools\//i.test(url.pathname)) return { kind: "desktop", url };
  // Long words in a path may be secret.
  const path = url.pathname.replaceAll(/[\w-]{16,}/g, "…");
  throw new TunnelFailure(
    "BadAddress",
    `${url.protocol}//${url.host}${path} is not the address of a browser: ${WANTED}`,
  );
}

/** Converts the address of a desktop's page, `…/desktop/<key>`, to its WebSocket's, which is below that path. */
function toSocketOfPage({ protocol, host, pathname }: URL): URL {
  const isSecure = protocol === "https:" || protocol === "wss:";
  return new URL(`${isSecure ? "wss:" : "ws:"}//${host}${pathname.replace(/\/$/, "")}/rfb`);
}
