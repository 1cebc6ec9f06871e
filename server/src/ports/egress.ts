import type { Socket } from "node:net";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/** Bytes, including those on open connections. */
export type Traffic = { readonly sent: number; readonly received: number };

/**
 * One browser's HTTP proxy, its only connection to the network. It doesn't listen: a listener's owner passes
 * connections to it. Disposing it closes all connections, and never throws. Disposing it again has no effect.
 */
export interface EgressProxy extends Disposable {
  /** Serves one connection that the browser made to its proxy. The proxy owns the socket from then on. */
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
   * Starts a proxy. Problems with the upstream proxy appear only in the browser's requests.
   * @param upstream The upstream proxy. Undefined: direct connections. "nowhere": all requests are refused until the
   *   first reroute.
   */
  startProxy(upstream: UpstreamProxy | "nowhere" | undefined): EgressProxy;
}
