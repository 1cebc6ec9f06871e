import { repeat } from "../../concurrency/repeat.ts";
import { toCause } from "../../domain/failure.ts";
import type { LaunchOptions } from "../../domain/browser/open-options.ts";
import { type WarmPlan, type WarmSet, toLogFacts, toWarmKey } from "../../domain/warm/warm-set.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import type { BrowserExit, BrowserHost, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Capacity } from "../capacity/capacity.ts";
import type { LaunchGate } from "../capacity/launch-gate.ts";
import { WarmDemand } from "./warm-demand.ts";
import { type WarmBrowser, WarmSlots } from "./warm-slots.ts";

/** The delay before a free slot is filled, in ms. Starting a browser sooner would slow down the client's first page. */
const REFILL_MS = 500;
/** How often the pool releases slots that are no longer useful, and ends browsers of outdated versions, in ms. */
const REVIEW_MS = 60_000;

type WarmPoolNeeds = {
  readonly plan: WarmPlan;
  readonly host: BrowserHost;
  readonly gate: LaunchGate;
  readonly capacity: Capacity;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
};

/**
 * Keeps browsers ready, each for one Open request. Warm browsers use only capacity that Open requests don't need, and
 * start only while no Open request is starting a browser. Disposing the pool ends its browsers. Disposing the pool
 * again has no effect.
 */
export class WarmPool implements AsyncDisposable {
  readonly #needs: WarmPoolNeeds;
  readonly #demand: WarmDemand;
  /** Slots by their options' key: the operator's sets first, then additional sets, beginning with the most useful. */
  #slots: ReadonlyMap<string, WarmSlots> = new Map();
  /** Browsers that are ending still count against the capacity. */
  readonly #ends = new Set<Promise<void>>();
  #cancelRefill: (() => void) | undefined;
  #reviews: Disposable | undefined;
  #disposing: Promise<void> | undefined;

  constructor(needs: WarmPoolNeeds) {
    this.#needs = needs;
    this.#demand = new WarmDemand(needs.plan);
  }

  /** Starts the first browsers after a short delay. */
  start(): void {
    this.#refillLater();
    this.#reviews = repeat(REVIEW_MS, this.#needs.clock, () => this.#refill());
  }

  get ready(): number {
    return this.#count(({ readySince, isClaimed }) => readySince !== undefined && !isClaimed);
  }

  /** The number of ready browsers for each set of options. */
  get readySets(): readonly WarmSet[] {
    const sets = [...this.#slots.values()].map(({ options, ready }) => ({ options, count: ready }));
    return sets.filter(({ count }) => count > 0);
  }

  /**
   * The number of ready, starting and ending warm browsers, except for browsers that an Open request is waiting for.
   */
  get size(): number {
    return this.#ends.size + this.#count(({ isClaimed }) => !isClaimed);
  }

  /**
   * Takes a browser started with these options, and waits if it is still starting. The caller must already have one of
   * the machine's slots, and then owns the browser. Call this once per Open request, for an installed kind.
   * @returns Undefined if no warm browser has these options. The machine then has room for a new browser.
   * @throws {unknown} `signal.reason` if the signal is aborted; the browser stays in the pool.
   */
  async take(options: LaunchOptions, signal: AbortSignal): Promise<HostedBrowser | undefined> {
    signal.throwIfAborted();
    this.#demand.count(options, this.#now());
    if (this.#needs.plan.auto !== undefined) this.#refillLater();
    this.#endOutdated();
    const slots = this.#slots.get(toWarmKey(options));
    const warm = slots?.find();
    const hosted = slots && warm && (await this.#claim(slots, warm, signal));
    if (hosted === undefined) await this.#freeSlots();
    return hosted;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#disposing ??= this.#endAll());
  }

  async #endAll(): Promise<void> {
    this.#cancelRefill?.();
    this.#reviews?.[Symbol.dispose]();
    for (const [slots, warm] of this.#all()) void this.#end(slots, warm);
    await Promise.all(this.#ends);
  }

  async #claim(slots: WarmSlots, warm: WarmBrowser, signal: AbortSignal): Promise<HostedBrowser | undefined> {
    warm.isClaimed = true;
    const hosted = await orAborted(warm.started, signal).catch((reason: unknown) => {
      warm.isClaimed = false;
      throw reason;
    });
    // The browser failed to start, or has already ended.
    if (hosted === undefined || !slots.browsers.has(warm)) return undefined;
    slots.remove(warm, this.#now(), REFILL_MS);
    this.#refillLater();
    return hosted;
  }

  /** Ends warm browsers until the Open requests fit into the capacity, beginning with the least useful sets. */
  async #freeSlots(): Promise<void> {
    const { capacity } = this.#needs;
    while (capacity.taken + this.size > capacity.limit) {
      const [spare] = [...this.#all()].filter(([, { isClaimed }]) => !isClaimed).toReversed();
      if (spare !== undefined) await this.#end(...spare);
      else if (this.#ends.size > 0) await Promise.all(this.#ends);
      else return;
      this.#refillLater();
    }
  }

  #refillLater(): void {
    if (this.#disposing !== undefined || this.#cancelRefill !== undefined) return;
    this.#cancelRefill = this.#needs.clock.after(REFILL_MS, () => {
      this.#cancelRefill = undefined;
      this.#refill();
    });
  }

  /** Ends browsers of outdated versions, which lack security fixes. */
  #endOutdated(): void {
    for (const slots of this.#slots.values())
      for (const warm of slots.outdated) {
        this.#needs.log.info("warm.outdated", { id: warm.id, ...toLogFacts(slots.options) });
        slots.remove(warm, this.#now(), REFILL_MS);
        void this.#end(slots, warm);
        this.#refillLater();
      }
  }

  /** Starts browsers for free slots, beginning with the most useful slot. */
  #refill(): void {
    const { capacity, gate } = this.#needs;
    if (this.#disposing !== undefined) return;
    this.#endOutdated();
    for (const [slots, count] of this.#share()) {
      if (slots.browsers.size >= count || !slots.isDue(this.#now())) continue;
      if (capacity.taken + this.size >= capacity.limit) break;
      const permit = gate.tryAcquireForRefill();
      if (permit === undefined) break;
      this.#add(slots, permit);
    }
    if ([...this.#slots.values()].some((slots) => !slots.isFull)) this.#refillLater();
  }

  /**
   * Distributes the slots among the sets, and ends browsers that have lost their slot.
   * @returns Each slot's set and number within the set, most useful slot first.
   */
  #share(): readonly (readonly [WarmSlots, number])[] {
    const before = this.#slots;
    for (const slots of before.values()) slots.count = 0;
    const shared = new Map<string, WarmSlots>();
    const order = this.#demand.slotsAt(this.#now()).map(({ key, options }) => {
      const slots = shared.get(key) ?? before.get(key) ?? new WarmSlots(options);
      shared.set(key, slots);
      slots.count += 1;
      return [slots, slots.count] as const;
    });
    for (const [key, slots] of before) {
      for (const warm of slots.surplus) {
        this.#needs.log.info("warm.ended", { id: warm.id, ...toLogFacts(slots.options) });
        void this.#end(slots, warm);
      }
      if (slots.browsers.size > 0) shared.set(key, slots);
    }
    this.#slots = shared;
    return order;
  }

  #add(slots: WarmSlots, permit: Disposable): void {
    const { promise, resolve } = Promise.withResolvers<HostedBrowser | undefined>();
    const warm: WarmBrowser = {
      id: this.#needs.newId(),
      stop: new AbortController(),
      started: promise,
      hosted: undefined,
      readySince: undefined,
      isClaimed: false,
    };
    slots.browsers.add(warm);
    resolve(this.#launch(slots, warm, permit));
  }

  /** @returns Undefined if the browser fails to start. The failure is logged, and another browser is started later. */
  async #launch(slots: WarmSlots, warm: WarmBrowser, permit: Disposable): Promise<HostedBrowser | undefined> {
    const { host, log } = this.#needs;
    const { id, stop } = warm;
    const { options } = slots;
    const startedAt = this.#now();
    try {
      const hosted = await host.launch({ ...options, id, proxy: "nowhere" }, stop.signal);
      warm.hosted = hosted;
      warm.readySince = this.#now();
      log.info("warm.started", { id, ...toLogFacts(options), startMs: warm.readySince - startedAt });
      void hosted.gone.then((exit) => this.#replace(slots, warm, exit));
      return hosted;
    } catch (error) {
      if (!stop.signal.aborted)
        log.warn("warm.failed", { ...slots.removeFailed(warm, this.#now()), error: toCause(error) });
      return undefined;
    } finally {
      permit[Symbol.dispose]();
      this.#refill();
    }
  }

  /** Replaces a browser that ended while in the pool. */
  #replace(slots: WarmSlots, warm: WarmBrowser, exit: BrowserExit): void {
    if (!slots.browsers.has(warm)) return;
    this.#needs.log.warn("warm.failed", { ...slots.removeFailed(warm, this.#now()), exit });
    void this.#end(slots, warm);
    this.#refillLater();
  }

  /** Resolves when the browser's resources are released. Never rejects. */
  async #end(slots: WarmSlots, warm: WarmBrowser): Promise<void> {
    slots.browsers.delete(warm);
    warm.stop.abort(new Error("This warm browser is no longer needed."));
    const end = warm.started
      .then((hosted) => hosted?.[Symbol.asyncDispose]())
      .catch((error: unknown) => this.#needs.log.error("warm.release_failed", { id: warm.id, error }));
    this.#ends.add(end);
    await end;
    this.#ends.delete(end);
  }

  *#all(): Iterable<[WarmSlots, WarmBrowser]> {
    for (const slots of this.#slots.values()) for (const warm of slots.browsers) yield [slots, warm];
  }

  #count(matches: (warm: WarmBrowser) => boolean): number {
    return [...this.#all()].filter(([, warm]) => matches(warm)).length;
  }

  #now(): number {
    return this.#needs.clock.now().getTime();
  }
}
