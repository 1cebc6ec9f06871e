import type { Socket } from "node:net";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/** Byte counts, including open connections. */
export type Traffic = { readonly sent: number; readonly received: number };

/**
 * One browser's HTTP proxy, its only connection to the network. The proxy itself doesn't listen: the owner of a
 * listener passes connections to it. Disposing closes all connections, and never throws. Disposing again has no effect.
 */
export interface EgressProxy extends Disposable {
  /** Serves one connection from the browser to its proxy. The proxy takes ownership of the socket. */
  accept(socket: Socket): void;
  /** The bytes sent to and received from the network so far. */
  traffic(): Traffic;
  /**
   * Switches traffic to another upstream proxy, or to direct connections, and closes existing connections. Has no
   * effect after disposal.
   */
  reroute(upstream: UpstreamProxy | undefined): void;
}

export interface Egress {
  /**
   * Starts a proxy. Upstream proxy errors surface only in the browser's requests.
   * @param upstream The upstream proxy. Undefined: direct connections. "nowhere": all requests are refused until the
   * first reroute.
   */
  startProxy(upstream: UpstreamProxy | "nowhere" | undefined): EgressProxy;
}
