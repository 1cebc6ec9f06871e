import { readAddress } from "./address-range.ts";

/** The name in `name[:port]`, in lower case; undefined for text that is neither a name nor an address. */
function readName(host: string): string | undefined {
  return /^(?<name>\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i.exec(host)?.groups?.["name"]?.toLowerCase();
}

/**
 * Whether a request was sent to one of the server's own hosts: an address, localhost, or a known name. This stops DNS
 * rebinding: a page can make its own name resolve to this machine and so pass a check of the origin, but the server
 * doesn't know that name.
 * @param known `name` or `name:port` each; ports don't matter.
 */
export function isKnownHost(host: string, known: readonly (string | undefined)[]): boolean {
  const name = readName(host);
  if (name === undefined) return false;
  if (name === "localhost" || readAddress(name.replace(/^\[(.*:.*)\]$/, "$1")) !== undefined) return true;
  return known.some((ours) => ours !== undefined && readName(ours) === name);
}

/** Whether an `Origin` is the host, port included, that the request was sent to. */
export function isOwnOrigin(origin: string, host: string): boolean {
  const from = URL.parse(origin);
  if (from?.protocol !== "http:" && from?.protocol !== "https:") return false;
  // Parsed with the origin's scheme: a default port may be written or left out.
  return URL.parse(`${from.protocol}//${host}`)?.host === from.host;
}

/** Whether only this machine reaches the name or address, with or without brackets. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/i.test(host);
}
