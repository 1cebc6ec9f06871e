import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { isLoopback } from "../domain/network/known-host.ts";

/**
 * Headers that proxies add to what they forward: the standard ones (RFC 7239, RFC 8586, RFC 9110), those with the
 * client's address, such as `X-Real-IP`, `True-Client-IP` and `CF-Connecting-IP`, and families of one proxy or cloud.
 */
const OF_PROXIES =
  /^(?:forwarded|via|cdn-loop|(?:.+-)?(?:client)?ip|x-(?:forwarded|original|remote|envoy|amzn|azure)(?:-.+)?)$/i;

/**
 * Whether a proxy has forwarded a request. nginx may add no header, but it sends HTTP/1.0 unless it is told otherwise,
 * which clients on this machine don't.
 */
export function isForwarded({ req, env }: Context): boolean {
  const { incoming } = env as Partial<HttpBindings>;
  return incoming?.httpVersion === "1.0" || Object.keys(req.header()).some((name) => OF_PROXIES.test(name));
}

/**
 * Whether a request comes directly from this machine, for a server that only this machine can reach. Excludes pages of
 * other sites whose host name resolves to this machine (DNS rebinding), and requests that a local proxy forwards.
 */
export function isLocalRequest(c: Context): boolean {
  return !isForwarded(c) && isLoopback(new URL(c.req.url).hostname);
}
