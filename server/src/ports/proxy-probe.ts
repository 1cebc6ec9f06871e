import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/** The proxy works, refuses the credentials, or doesn't respond like a proxy. */
export type ProbeResult = "serves" | "credentials-refused" | "unreachable";

/** Checks whether a proxy works, without connecting to a site. */
export interface ProxyProbe {
  /**
   * Always resolves, within a bounded time, and closes its connections.
   * @param signal Ends the probe early, in which case the result is meaningless.
   */
  probe(proxy: UpstreamProxy, signal: AbortSignal): Promise<ProbeResult>;
}
