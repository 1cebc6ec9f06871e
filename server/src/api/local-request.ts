import type { HonoRequest } from "hono";
import { isLoopback } from "../domain/network/known-host.ts";

/**
 * Whether a request comes directly from this machine, for a server that only this machine can reach. Excludes pages of
 * other sites whose host name resolves to this machine (DNS rebinding), and requests that a local proxy forwards.
 */
export function isLocalRequest(request: HonoRequest): boolean {
  const isForwarded = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host"].some((name) => request.header(name));
  return !isForwarded && isLoopback(new URL(request.url).hostname);
}
