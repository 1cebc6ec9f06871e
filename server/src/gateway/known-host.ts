import { isIPv4, isIPv6 } from "node:net";

/** The name in `name[:port]`, lower case; undefined when it is neither a name nor an address. */
function readName(host: string): string | undefined {
  return /^(?<name>\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i.exec(host)?.groups?.["name"]?.toLowerCase();
}

/**
 * Whether a request came under a name of ours. A page that makes its own name resolve to this machine (DNS rebinding)
 * is its "own host" to every check of origins; here it is found out, since it can choose neither of these names.
 * @param known `name` or `name:port` each; ports don't matter.
 */
export function isKnownHost(host: string, known: readonly (string | undefined)[]): boolean {
  const name = readName(host);
  if (name === undefined) return false;
  if (name === "localhost" || isIPv4(name)) return true;
  if (name.startsWith("[")) return isIPv6(name.slice(1, -1));
  return known.some((ours) => ours !== undefined && readName(ours) === name);
}

/** Whether an `Origin` is the host, port included, that the request itself was sent to. */
export function isOwnOrigin(origin: string, host: string): boolean {
  const from = URL.parse(origin);
  if (from?.protocol !== "http:" && from?.protocol !== "https:") return false;
  // Parsed with the origin's scheme, so that a default port is the same whether written or not.
  return URL.parse(`${from.protocol}//${host}`)?.host === from.host;
}
