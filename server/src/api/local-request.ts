import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { isLoopback } from "../domain/network/known-host.ts";

/**
 * Headers that proxies add to requests: the standard headers (RFC 7239, RFC 8586, RFC 9110), headers with the client's
 * address, such as `X-Real-IP`, `True-Client-IP` and `CF-Connecting-IP`, and header families of a proxy or cloud.
 */
const OF_PROXIES =
  /^(?:forwarded|via|cdn-loop|(?:.+-)?(?:client)?ip|x-(?:forwarded|original|remote|envoy|amzn|azure)(?:-.+)?)$/i;

/**
 * Returns whether a proxy has forwarded a request. By default, nginx adds no such header, but it sends HTTP/1.0, which
 * clients on this machine don't use.
 */
export function isForwarded({ req, env }: Context): boolean {
  const { incoming } = env as Partial<HttpBindings>;
  return incoming?.httpVersion === "1.0" || Object.keys(req.header()).some((name) => OF_PROXIES.test(name));
}

/**
 * Returns whether a request comes directly from this machine, on a server that only this machine can reach. Excludes
 * requests that a local proxy forwards, and other sites whose host name resolves to this machine (DNS rebinding).
 */
export function isLocalRequest(c: Context): boolean {
  return !isForwarded(c) && isLoopback(new URL(c.req.url).hostname);
}
