import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import { toCause } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Capacity } from "./capacity.ts";
import type { Launcher } from "./launcher.ts";
import type { WarmPool } from "./warm-pool.ts";

/** How long a probe's answer counts; a refusal is asked again sooner. */
const READY_FOR_MS = 60_000;
const REFUSED_FOR_MS = 5_000;

export type Verdict = { readonly isReady: true } | { readonly isReady: false; readonly message: string };

type Needs = {
  /** The kinds this machine has. */
  readonly kinds: ReadonlySet<BrowserKind>;
  readonly launcher: Pick<Launcher, "launch">;
  readonly pool: Pick<WarmPool, "size">;
  readonly capacity: Capacity;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  /** Aborted when the server shuts down. */
  readonly signal: AbortSignal;
};

/** Whether a browser can be opened now: tried with a real one, not assumed. */
export class Readiness {
  readonly #needs: Needs;
  #verdict: { readonly value: Promise<Verdict>; until: number } | undefined;
  #last: { readonly verdict: Verdict; readonly at: Date } | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** What the last probe found, and when; undefined before the first has ended. Probes nothing. */
  get last(): { readonly verdict: Verdict; readonly at: Date } | undefined {
    return this.#last;
  }

  /** The last answer while it is fresh, else that of a new probe; callers at the same time share one. */
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
    const { kinds, launcher, pool, capacity, newId, log, signal } = this.#needs;
    // A full machine has shown that it opens browsers, and has no room for one more.
    if (capacity.taken + pool.size >= capacity.limit) return { isReady: true };
    const [kind] = kinds;
    if (kind === undefined) return { isReady: false, message: "No browser is installed on this machine." };
    try {
      using _place = capacity.take();
      await using _browser = await launcher.launch(
        {
          id: newId(),
          kind,
          isHeadless: kind === "chrome-headless-shell",
          isStealthy: true,
          switches: [],
          ignoredSwitches: [],
          proxy: "nowhere",
        },
        signal,
      );
      return { isReady: true };
    } catch (error) {
      log.warn("probe.failed", { kind, error: toCause(error) });
      return { isReady: false, message: error instanceof Error ? error.message : String(error) };
    }
  }
}
