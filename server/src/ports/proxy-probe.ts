import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/** The result of a probe: the proxy works, it refuses the credentials, or it does not answer as a proxy does. */
export type ProxyVerdict = "serves" | "credentials-refused" | "unreachable";

/** Checks whether a proxy works. Needs no site for that. */
export interface ProxyProbe {
  /**
   * Resolves within a bounded time, and closes its connections; never rejects.
   * @param signal Ends the probe early. The verdict has no meaning then.
   */
  probe(proxy: UpstreamProxy, signal: AbortSignal): Promise<ProxyVerdict>;
}
