import { readAddress } from "./address-range.ts";

/** Returns the name in `name[:port]`, in lower case. Undefined for text that is neither a name nor an address. */
function readName(host: string): string | undefined {
  return /^(?<name>\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i.exec(host)?.groups?.["name"]?.toLowerCase();
}

/**
 * Whether a request was sent to one of the server's own hosts: an address, localhost, or a known name. This prevents
 * DNS rebinding: a page can make its own name resolve to this machine and pass the origin check, but the server doesn't
 * know that name.
 * @param known Each `name` or `name:port`. Ports are ignored.
 */
export function isKnownHost(host: string, known: readonly (string | undefined)[]): boolean {
  const name = readName(host);
  if (name === undefined) return false;
  if (name === "localhost" || readAddress(name.replace(/^\[(.*:.*)\]$/, "$1")) !== undefined) return true;
  return known.some((ours) => ours !== undefined && readName(ours) === name);
}

/** Whether an `Origin` matches the host and port that the request was sent to. */
export function isOwnOrigin(origin: string, host: string): boolean {
  const from = URL.parse(origin);
  if (from?.protocol !== "http:" && from?.protocol !== "https:") return false;
  // Parse the host with the origin's scheme, because a default port is optional.
  return URL.parse(`${from.protocol}//${host}`)?.host === from.host;
}

/** Whether only this machine can reach the name or address. Brackets are optional. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/i.test(host);
}
