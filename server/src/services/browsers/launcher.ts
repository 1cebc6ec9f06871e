import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { BrowserHost, BrowserSpec, HostedBrowser } from "../../ports/browser-host.ts";
import type { LaunchGate } from "./launch-gate.ts";
import type { WarmPool } from "./warm-pool.ts";

/** What an Open asks for: a browser with a way to the network. */
export type OpenSpec = BrowserSpec & { readonly proxy: UpstreamProxy | undefined };

/** A browser for an Open; the caller ends it. */
export type Launched = {
  readonly hosted: HostedBrowser;
  /** Whether it stood ready. */
  readonly isWarm: boolean;
  /** What its folder is called: the id of the spec, unless it is warm. */
  readonly cell: string;
};

/** Gets browsers the quickest way there is: one that stands ready, or else a new one in its turn. */
export class Launcher {
  readonly #host: BrowserHost;
  readonly #gate: LaunchGate;
  readonly #pool: WarmPool;

  constructor(host: BrowserHost, gate: LaunchGate, pool: WarmPool) {
    this.#host = host;
    this.#gate = gate;
    this.#pool = pool;
  }

  /**
   * The caller has a place on the machine for it already.
   * @param signal Aborted when nobody wants the browser any more; then rejects with `signal.reason`.
   * @throws {Failure} `BrowserUnavailable`: it does not start, or, with `Retry-After`, too many others do.
   */
  async open(spec: OpenSpec, signal: AbortSignal): Promise<Launched> {
    signal.throwIfAborted();
    const warm = await this.#pool.take(spec, signal);
    if (warm !== undefined) {
      // All but the proxy is as this Open would have started it.
      warm.hosted.reroute(spec.proxy);
      return { ...warm, isWarm: true };
    }
    // Nothing has to give way to a browser that there can't be.
    if (this.#host.kinds.has(spec.kind)) await this.#pool.makeRoom();
    return { hosted: await this.launch(spec, signal), isWarm: false, cell: spec.id };
  }

  /** Starts a new one, in its turn. Parameters and failures as those of `open`. */
  async launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser> {
    // Refused at once: there is nothing to wait for.
    if (!this.#host.kinds.has(spec.kind)) return this.#host.open(spec, signal);
    using _turn = await this.#gate.acquire(signal);
    return await this.#host.open(spec, signal);
  }
}
