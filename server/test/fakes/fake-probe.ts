import type { UpstreamProxy } from "../../src/domain/network/upstream-proxy.ts";
import type { ProxyProbe, ProxyVerdict } from "../../src/ports/proxy-probe.ts";

/** Finds every proxy serving, unless a test says otherwise. */
export class FakeProbe implements ProxyProbe {
  /** By host. */
  readonly verdicts = new Map<string, ProxyVerdict>();
  /** Probes that were under way when nobody wanted to know any more. */
  abandoned = 0;
  readonly #held = new Map<string, Promise<ProxyVerdict>>();

  /** Has the next probe of a host wait for the verdict that the returned function gives. */
  hold(host: string): (verdict: ProxyVerdict) => void {
    const { promise, resolve } = Promise.withResolvers<ProxyVerdict>();
    this.#held.set(host, promise);
    return resolve;
  }

  async probe({ host }: UpstreamProxy, signal: AbortSignal): Promise<ProxyVerdict> {
    const held = this.#held.get(host);
    if (held === undefined) return this.verdicts.get(host) ?? "serves";
    this.#held.delete(host);
    const leave = (): void => void (this.abandoned += 1);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await held;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }
}
