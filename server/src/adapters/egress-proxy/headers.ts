import { type IncomingMessage, validateHeaderName, validateHeaderValue } from "node:http";

const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What a message can't be read without, whatever its `Connection` header says. */
const ESSENTIAL = new Set(["content-length", "host"]);

/**
 * A message's headers, names and values in turn as they came, without those that concern one connection only (RFC 9110,
 * section 7.6.1): `Proxy-Connection`, which would tell a site that there is a proxy, and what `Connection` names among
 * them. What can't be written as a header is left out too.
 */
export function toEndToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const dropped = new Set([...HOP_BY_HOP, ...named.filter((name) => !ESSENTIAL.has(name))]);
  // A chunked body has no other length (RFC 9112, section 6.3).
  if (headers["transfer-encoding"] !== undefined) dropped.add("content-length");
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!dropped.has(name.toLowerCase()) && isWritable(name, value)) kept.push(name, value);
  }
  return kept;
}

export function isWritable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
