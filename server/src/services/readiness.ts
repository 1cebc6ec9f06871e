import type { BrowserHost } from "../ports/browser-host.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Capacity } from "./capacity.ts";

/** How long a probe's answer counts; a refusal is asked again sooner. */
const READY_FOR_MS = 60_000;
const REFUSED_FOR_MS = 5_000;

export type Verdict = { readonly isReady: true } | { readonly isReady: false; readonly message: string };

/** Whether a browser can be opened now: tried with a real one, not assumed. */
export class Readiness {
  readonly #host: BrowserHost;
  readonly #capacity: Capacity;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #log: Log;
  /** Aborted when the server shuts down. */
  readonly #signal: AbortSignal;
  #verdict: { readonly value: Promise<Verdict>; until: number } | undefined;

  constructor(needs: {
    host: BrowserHost;
    capacity: Capacity;
    clock: Clock;
    newId: () => string;
    log: Log;
    signal: AbortSignal;
  }) {
    this.#host = needs.host;
    this.#capacity = needs.capacity;
    this.#clock = needs.clock;
    this.#newId = needs.newId;
    this.#log = needs.log;
    this.#signal = needs.signal;
  }

  /** The last answer while it is fresh, else that of a new probe; callers at the same time share one. */
  check(): Promise<Verdict> {
    const now = this.#clock.now().getTime();
    if (this.#verdict !== undefined && now < this.#verdict.until) return this.#verdict.value;
    const value = this.#probe();
    const verdict = { value, until: Infinity };
    this.#verdict = verdict;
    void value.then(({ isReady }) => {
      verdict.until = this.#clock.now().getTime() + (isReady ? READY_FOR_MS : REFUSED_FOR_MS);
    });
    return value;
  }

  async #probe(): Promise<Verdict> {
    // A full machine has shown that it opens browsers, and has no room for one more.
    if (this.#capacity.taken >= this.#capacity.limit) return { isReady: true };
    const [kind] = this.#host.kinds;
    if (kind === undefined) return { isReady: false, message: "No browser is installed on this machine." };
    try {
      await using _browser = await this.#host.open(
        {
          id: this.#newId(),
          kind,
          isHeadless: kind === "chrome-headless-shell",
          isStealthy: true,
          switches: [],
          ignoredSwitches: [],
          proxy: undefined,
        },
        this.#signal,
      );
      return { isReady: true };
    } catch (error) {
      this.#log.warn("probe.failed", { kind, error: error instanceof Error ? (error.cause ?? error) : error });
      return { isReady: false, message: error instanceof Error ? error.message : String(error) };
    }
  }
}
