import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/**
 * Returns the reason why a request is rejected, or undefined if it is accepted. Like Chromium's own DevTools port,
 * accepts local programs and rejects web pages, even if a page's host name resolves to this machine (DNS rebinding).
 */
export function refusalOf(headers: IncomingHttpHeaders): string | undefined {
  const { host = "", origin, "sec-fetch-site": site = "none" } = headers;
  if (!isLocal(readName(host))) return `Connect to localhost or an IP address instead of ${JSON.stringify(host)}.`;
  if (origin !== undefined) return `Web pages can't connect to this port. This page is from ${JSON.stringify(origin)}.`;
  return site === "none" ? undefined : "Web pages can't read this port.";
}

/** Returns the name in `name[:port]`, without the brackets around an IPv6 address, or "" if there is no name. */
function readName(host: string): string {
  const { ip, name } = /^(?:\[(?<ip>[\da-f:.]+)\]|(?<name>[^\s:/?#@[\]]+))(?::\d*)?$/i.exec(host)?.groups ?? {};
  return (ip ?? name ?? "").toLowerCase();
}

function isLocal(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name) !== 0;
}
