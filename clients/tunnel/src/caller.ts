import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/**
 * Why a request may not come in; undefined when it may. Programs of this machine may, pages in its browsers may not:
 * neither those that say where they are from, nor those whose own name was made to resolve to this machine (DNS
 * rebinding). It is the rule of Chromium's own DevTools port.
 */
export function refusalOf(headers: IncomingHttpHeaders): string | undefined {
  const { host = "", origin, "sec-fetch-site": site = "none" } = headers;
  if (!isLocal(readName(host))) return `Come as localhost or by an IP address, not as ${JSON.stringify(host)}.`;
  if (origin !== undefined) return `Web pages may not connect here; this one is of ${JSON.stringify(origin)}.`;
  return site === "none" ? undefined : "Web pages may not read this.";
}

/** The name in `name[:port]`, without the brackets of an IPv6 address; empty when there is none. */
function readName(host: string): string {
  const { ip, name } = /^(?:\[(?<ip>[\da-f:.]+)\]|(?<name>[^\s:/?#@[\]]+))(?::\d*)?$/i.exec(host)?.groups ?? {};
  return (ip ?? name ?? "").toLowerCase();
}

function isLocal(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name) !== 0;
}
