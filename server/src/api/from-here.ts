import type { HonoRequest } from "hono";
import { isLoopback } from "../domain/network/known-host.ts";

/**
 * Whether a request to a server that only this machine reaches comes from this machine indeed. A page whose name leads here
 * (DNS rebinding) comes under that name; a proxy on this machine says for whom it asks.
 */
export function isFromHere(request: HonoRequest): boolean {
  const isForwarded = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host"].some((name) => request.header(name));
  return !isForwarded && isLoopback(new URL(request.url).hostname);
}
