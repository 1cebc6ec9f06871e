import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import { type Failure, toCause } from "../../domain/failure.ts";
import type { BrowserHost, BrowserSpec, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store/store.ts";
import { waitForStore } from "../store/store-wait.ts";
import type { Capacity } from "../capacity/capacity.ts";
import type { LaunchGate } from "../capacity/launch-gate.ts";
import type { WarmPool } from "../warm/warm-pool.ts";

/** How long, in ms, a started browser counts as proof that others can start, and the pause after a failed probe. */
const READY_FOR_MS = 600_000;
const BROKEN_FOR_MS = 5_000;

/**
 * Whether the server can open browsers now. `full`: all of its slots are in use. `draining`: the server is shutting
 * down, or its operator has stopped it from opening browsers. `broken`: browsers don't start.
 */
export type Verdict =
  | { readonly status: "ready" | "full" }
  | { readonly status: "draining" | "broken"; readonly message: string };

type DatedVerdict = { readonly verdict: Verdict; readonly at: Date };

/** A host that records the times of its last successful start and its last failed start. */
export class ObservedHost implements BrowserHost {
  readonly #host: BrowserHost;
  readonly #clock: Pick<Clock, "now">;
  startedAt: Date | undefined;
  failedAt: Date | undefined;

  constructor(host: BrowserHost, clock: Pick<Clock, "now">) {
    this.#host = host;
    this.#clock = clock;
  }

  get failed(): BrowserHost["failed"] {
    return this.#host.failed;
  }

  get bounds(): BrowserHost["bounds"] {
    return this.#host.bounds;
  }

  builtAt(kind: BrowserKind): Date | undefined {
    return this.#host.builtAt?.(kind);
  }

  get kinds(): BrowserHost["kinds"] {
    return this.#host.kinds;
  }

  get isHeadlessOnly(): BrowserHost["isHeadlessOnly"] {
    return this.#host.isHeadlessOnly;
  }

  async launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser> {
    try {
      const hosted = await this.#host.launch(spec, signal);
      this.startedAt = this.#clock.now();
      return hosted;
    } catch (error) {
      if (!signal.aborted) this.failedAt = this.#clock.now();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]();
  }
}

type ReadinessNeeds = {
  readonly store: Pick<Store, "check">;
  readonly host: ObservedHost;
  readonly gate: LaunchGate;
  readonly pool: Pick<WarmPool, "size" | "ready">;
  readonly capacity: Capacity;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  /** Aborted when the server starts to shut down. */
  readonly signal: AbortSignal;
  /** Returns why this server can't open browsers now; undefined if it can. */
  readonly findRefusal: () => Failure | undefined;
};

/**
 * Determines whether a browser can be opened. Every browser start is evidence. Without recent evidence, or after a
 * failed start, the server starts a browser as a probe, because a client's arguments can make a browser fail.
 */
export class Readiness {
  readonly #needs: ReadinessNeeds;
  #probing: Promise<Verdict> | undefined;
  #failed: DatedVerdict | undefined;

  constructor(needs: ReadinessNeeds) {
    this.#needs = needs;
  }

  /** The verdict without a probe; undefined before the first browser or probe. */
  get last(): DatedVerdict | undefined {
    const { host, pool, capacity, clock, signal, findRefusal } = this.#needs;
    const now = clock.now();
    const refusal = findRefusal();
    if (refusal !== undefined) return { verdict: { status: "draining", message: refusal.message }, at: now };
    if (signal.aborted) return { verdict: { status: "draining", message: "The server is shutting down." }, at: now };
    if (capacity.taken >= capacity.limit) return { verdict: { status: "full" }, at: now };
    // A ready warm browser can be opened immediately. Starting warm browsers may leave no capacity for a probe.
    if (pool.ready > 0 || (pool.size > 0 && capacity.taken + pool.size >= capacity.limit))
      return { verdict: { status: "ready" }, at: now };
    const { startedAt } = host;
    if (this.#failed !== undefined && (startedAt === undefined || startedAt < this.#failed.at)) return this.#failed;
    return startedAt && { verdict: { status: "ready" }, at: startedAt };
  }

  /** Returns the last verdict if it is recent, or the result of a probe, which concurrent callers share. */
  async check(): Promise<Verdict> {
    const [fault, verdict] = await Promise.all([findStoreFault(this.#needs), this.#checkHost()]);
    return fault ?? verdict;
  }

  async #checkHost(): Promise<Verdict> {
    const { last } = this;
    if (last !== undefined && this.#isRecent(last)) return last.verdict;
    return (this.#probing ??= this.#probe().finally(() => (this.#probing = undefined)));
  }

  #isRecent({ verdict, at }: DatedVerdict): boolean {
    const { host, clock } = this.#needs;
    const ageMs = clock.now().getTime() - at.getTime();
    if (verdict.status === "broken") return ageMs < BROKEN_FOR_MS;
    return ageMs < READY_FOR_MS && (host.failedAt === undefined || host.failedAt <= at);
  }

  async #probe(): Promise<Verdict> {
    const { host, capacity, clock, log, signal } = this.#needs;
    const [kind] = host.kinds;
    if (kind === undefined) return { status: "broken", message: "No browser is installed on this machine." };
    try {
      using _slot = capacity.take();
      await using _browser = await this.#launch(kind);
      return { status: "ready" };
    } catch (error) {
      if (signal.aborted) return { status: "draining", message: "The server is shutting down." };
      log.warn("probe.failed", { kind, error: toCause(error) });
      const message = error instanceof Error ? error.message : String(error);
      this.#failed = { verdict: { status: "broken", message }, at: clock.now() };
      return this.#failed.verdict;
    }
  }

  async #launch(kind: BrowserKind): Promise<HostedBrowser> {
    const { host, gate, newId, signal } = this.#needs;
    const isHeadless = kind === "chrome-headless-shell" || host.isHeadlessOnly === true;
    const options = { kind, isHeadless, isStealthy: true, switches: [], ignoredSwitches: [] };
    using _permit = await gate.acquire(signal);
    return await host.launch({ ...options, id: newId(), proxy: "nowhere" }, signal);
  }
}

type StoreCheckNeeds = Pick<ReadinessNeeds, "store" | "log"> & { readonly clock: Pick<Clock, "after"> };

/** Returns and logs why the store is unusable; undefined if it's usable. */
export async function findStoreFault({ store, clock, log }: StoreCheckNeeds): Promise<Verdict | undefined> {
  try {
    await waitForStore(clock, () => store.check());
    return undefined;
  } catch (error) {
    log.warn("store.check_failed", { error: toCause(error) });
    return { status: "broken", message: "The database doesn't respond." };
  }
}
