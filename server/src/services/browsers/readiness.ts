import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import { toCause } from "../../domain/failure.ts";
import type { BrowserHost, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Capacity } from "./capacity.ts";
import type { LaunchGate } from "./launch-gate.ts";
import type { WarmPool } from "./warm-pool.ts";

/** How long a probe's verdict is valid; after a failure, the next probe comes sooner. */
const READY_FOR_MS = 60_000;
const REFUSED_FOR_MS = 5_000;

export type Verdict = { readonly isReady: true } | { readonly isReady: false; readonly message: string };

type Needs = {
  readonly host: BrowserHost;
  readonly gate: LaunchGate;
  readonly pool: Pick<WarmPool, "size">;
  readonly capacity: Capacity;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  /** Aborted when the server shuts down. */
  readonly signal: AbortSignal;
};

/** Finds out whether a browser can be opened now, by opening one. */
export class Readiness {
  readonly #needs: Needs;
  #verdict: { readonly value: Promise<Verdict>; until: number } | undefined;
  #last: { readonly verdict: Verdict; readonly at: Date } | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** The last probe's verdict; undefined before the first probe has ended. Does not start a probe. */
  get last(): { readonly verdict: Verdict; readonly at: Date } | undefined {
    return this.#last;
  }

  /** The last verdict while it is fresh, or that of a new probe, which concurrent callers share. */
  check(): Promise<Verdict> {
    const { clock } = this.#needs;
    const now = clock.now().getTime();
    if (this.#verdict !== undefined && now < this.#verdict.until) return this.#verdict.value;
    const value = this.#probe();
    const verdict = { value, until: Infinity };
    this.#verdict = verdict;
    void value.then((found) => {
      const at = clock.now();
      verdict.until = at.getTime() + (found.isReady ? READY_FOR_MS : REFUSED_FOR_MS);
      this.#last = { verdict: found, at };
    });
    return value;
  }

  async #probe(): Promise<Verdict> {
    const { host, pool, capacity, log } = this.#needs;
    // A full machine has proved that it opens browsers, and has no capacity for another one.
    if (capacity.taken + pool.size >= capacity.limit) return { isReady: true };
    const [kind] = host.kinds;
    if (kind === undefined) return { isReady: false, message: "No browser is installed on this machine." };
    try {
      using _place = capacity.take();
      await using _browser = await this.#launch(kind);
      return { isReady: true };
    } catch (error) {
      log.warn("probe.failed", { kind, error: toCause(error) });
      return { isReady: false, message: error instanceof Error ? error.message : String(error) };
    }
  }

  async #launch(kind: BrowserKind): Promise<HostedBrowser> {
    const { host, gate, newId, signal } = this.#needs;
    const isHeadless = kind === "chrome-headless-shell";
    const options = { kind, isHeadless, isStealthy: true, switches: [], ignoredSwitches: [] };
    using _permit = await gate.acquire(signal);
    return await host.open({ ...options, id: newId(), proxy: "nowhere" }, signal);
  }
}
