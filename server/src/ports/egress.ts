import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/**
 * Where a browser reaches its way out: a Unix socket to listen on, or a free port of 127.0.0.1. Whoever may enter the
 * folder of the path may use the way, so the folder is the browser's own.
 */
export type ProxyEndpoint = { readonly path: string } | { readonly host: "127.0.0.1" };

/** Bytes, open connections included. */
export type Traffic = { readonly sent: number; readonly received: number };

/**
 * One browser's way to the network, an HTTP proxy. Disposing cuts every connection through it and removes the socket's
 * file; twice is safe, and it never throws.
 */
export interface EgressProxy extends AsyncDisposable {
  /** The port it listens on; undefined on a Unix socket. */
  readonly port: number | undefined;
  /** What went out to the network and came in from it so far. */
  traffic(): Traffic;
  /** Takes another proxy, or none, from now on: connections made before are cut. Harmless once disposed. */
  reroute(upstream: UpstreamProxy | undefined): void;
}

export interface Egress {
  /**
   * Resolves once the proxy listens; what is wrong with the upstream shows in the browser's requests only.
   * @param upstream The proxy the traffic leaves through; undefined for a direct way; "nowhere": everything is refused
   *   until it is rerouted.
   * @throws {Error} When the doorway cannot be listened on; nothing is held then.
   */
  open(doorway: ProxyEndpoint, upstream: UpstreamProxy | "nowhere" | undefined): Promise<EgressProxy>;
}
