import type { Socket } from "node:net";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/** Bytes, including the bytes of open connections. */
export type Traffic = { readonly sent: number; readonly received: number };

/**
 * One browser's HTTP proxy, its only connection to the network. It does not listen: the owner of a listener passes
 * connections to it. Disposing it closes all connections, and never throws. Disposing it again has no effect.
 */
export interface EgressProxy extends Disposable {
  /** Serves one connection that the browser made to its proxy. The proxy owns the socket from then on. */
  accept(socket: Socket): void;
  /** The bytes sent to and received from the network so far. */
  traffic(): Traffic;
  /**
   * Sends traffic through another upstream proxy, or directly, and closes existing connections. Has no effect after
   * disposal.
   */
  reroute(upstream: UpstreamProxy | undefined): void;
}

export interface Egress {
  /**
   * Problems with the upstream proxy appear only in the browser's requests.
   * @param upstream The proxy that the traffic goes through. Undefined: traffic goes out directly. "nowhere": all
   * requests are refused until
   *   the first reroute.
   */
  startProxy(upstream: UpstreamProxy | "nowhere" | undefined): EgressProxy;
}
