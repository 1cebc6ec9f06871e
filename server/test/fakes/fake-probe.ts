import type { UpstreamProxy } from "../../src/domain/network/upstream-proxy.ts";
import type { ProxyProbe, ProbeResult } from "../../src/ports/proxy-probe.ts";

/** Reports that every proxy works, unless a test sets a different verdict. */
export class FakeProbe implements ProxyProbe {
  /** By host. */
  readonly verdicts = new Map<string, ProbeResult>();
  /** The number of probes that were aborted. */
  aborted = 0;
  readonly #held = new Map<string, Promise<ProbeResult>>();

  /** Makes the next probe of a host wait. @returns A function that ends the probe with a verdict. */
  hold(host: string): (verdict: ProbeResult) => void {
    const { promise, resolve } = Promise.withResolvers<ProbeResult>();
    this.#held.set(host, promise);
    return resolve;
  }

  async probe({ host }: UpstreamProxy, signal: AbortSignal): Promise<ProbeResult> {
    const held = this.#held.get(host);
    if (held === undefined) return this.verdicts.get(host) ?? "serves";
    this.#held.delete(host);
    const leave = (): void => void (this.aborted += 1);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await held;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }
}
