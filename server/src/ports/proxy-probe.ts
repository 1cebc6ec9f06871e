import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";

/** What a proxy says to a connection: it serves, it does not take its credentials, or nothing that makes sense. */
export type ProxyVerdict = "serves" | "credentials-refused" | "unreachable";

/** Finds out whether a proxy can be used, without any site. */
export interface ProxyProbe {
  /**
   * Resolves within a bounded time, and holds nothing then; never rejects.
   * @param signal Aborted when nobody wants to know any more; the verdict means nothing then.
   */
  probe(proxy: UpstreamProxy, signal: AbortSignal): Promise<ProxyVerdict>;
}
