import { toCause } from "../../domain/failure.ts";
import type { LaunchOptions } from "../../domain/browser/open-options.ts";
import { type WarmSet, toLogFacts, toWarmKey } from "../../domain/browser/warm-set.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import type { BrowserExit, BrowserHost, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Capacity } from "./capacity.ts";
import type { LaunchGate } from "./launch-gate.ts";
import { type WarmBrowser, WarmSlots } from "./warm-slots.ts";

/** Delay before a free slot is filled, in ms. Starting a browser immediately would slow down the client's first page. */
const REFILL_MS = 500;

type Needs = {
  readonly sets: readonly WarmSet[];
  readonly host: BrowserHost;
  readonly gate: LaunchGate;
  readonly capacity: Capacity;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
};

/**
 * Keeps browsers ready, each for one Open request. Warm browsers use only capacity that Open requests don't need, and start
 * only while no Open request starts a browser. Disposing the pool ends them. Disposing it again has no effect.
 */
export class WarmPool implements AsyncDisposable {
  readonly #needs: Needs;
  /** By the key of their set, in the operator's order. */
  readonly #slots: ReadonlyMap<string, WarmSlots>;
  /** Browsers that are ending still count against the capacity. */
  readonly #ends = new Set<Promise<void>>();
  #cancelRefill: (() => void) | undefined;
  #disposing: Promise<void> | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#slots = new Map(needs.sets.map((set) => [toWarmKey(set.options), new WarmSlots(set)]));
  }

  /** Starts the first browsers after a short delay. */
  start(): void {
    this.#refillLater();
  }

  /** Browsers that are ready. */
  get ready(): number {
    return this.#count(({ readySince, isClaimed }) => readySince !== undefined && !isClaimed);
  }

  /** Places that warm browsers take up: ready, starting and ending ones, except those that an Open request is waiting for. */
  get size(): number {
    return this.#ends.size + this.#count(({ isClaimed }) => !isClaimed);
  }

  /**
   * Takes a browser that was started with these options, and waits for it if it is still starting. The caller already holds
   * a place on the machine, and owns the browser.
   * @returns Undefined if no warm browser has these options. In that case a place is free for a new one.
   * @throws {unknown} `signal.reason`; the browser stays in the pool.
   */
  async take(options: LaunchOptions, signal: AbortSignal): Promise<HostedBrowser | undefined> {
    signal.throwIfAborted();
    const slots = this.#slots.get(toWarmKey(options));
    const warm = slots?.find();
    const hosted = slots && warm && (await this.#claim(slots, warm, signal));
    if (hosted === undefined) await this.#freePlaces();
    return hosted;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#disposing ??= this.#endAll());
  }

  async #endAll(): Promise<void> {
    this.#cancelRefill?.();
    for (const [slots, warm] of this.#all()) void this.#end(slots, warm);
    await Promise.all(this.#ends);
  }

  async #claim(slots: WarmSlots, warm: WarmBrowser, signal: AbortSignal): Promise<HostedBrowser | undefined> {
    warm.isClaimed = true;
    const hosted = await orAborted(warm.started, signal).catch((reason: unknown) => {
      warm.isClaimed = false;
      throw reason;
    });
    // It failed to start, or has ended in the meantime.
    if (hosted === undefined || !slots.browsers.has(warm)) return undefined;
    slots.removeClaimed(warm, this.#now(), REFILL_MS);
    this.#refillLater();
    return hosted;
  }

  /** Ends warm browsers until the Open requests fit into the capacity. Starts with the browsers of the last sets. */
  async #freePlaces(): Promise<void> {
    const { capacity } = this.#needs;
    while (capacity.taken + this.size > capacity.limit) {
      const [spare] = [...this.#all()].filter(([, { isClaimed }]) => !isClaimed).toReversed();
      if (spare !== undefined) await this.#end(...spare);
      else if (this.#ends.size > 0) await Promise.all(this.#ends);
      else return;
      this.#refillLater();
    }
  }

  /** Schedules a refill, unless every slot is full. */
  #refillLater(): void {
    const isFull = [...this.#slots.values()].every((slots) => slots.isFull);
    if (isFull || this.#disposing !== undefined || this.#cancelRefill !== undefined) return;
    this.#cancelRefill = this.#needs.clock.after(REFILL_MS, () => {
      this.#cancelRefill = undefined;
      this.#refill();
    });
  }

  /** Starts browsers for the slots that may be filled now. */
  #refill(): void {
    const { capacity, gate } = this.#needs;
    for (const slots of this.#slots.values()) {
      while (this.#disposing === undefined && slots.isDue(this.#now()) && capacity.taken + this.size < capacity.limit) {
        const permit = gate.tryAcquireForRefill();
        if (permit === undefined) break;
        this.#add(slots, permit);
      }
    }
    this.#refillLater();
  }

  #add(slots: WarmSlots, permit: Disposable): void {
    const { promise, resolve } = Promise.withResolvers<HostedBrowser | undefined>();
    const id = this.#needs.newId();
    const stop = new AbortController();
    const warm: WarmBrowser = { id, stop, started: promise, readySince: undefined, isClaimed: false };
    slots.browsers.add(warm);
    resolve(this.#launch(slots, warm, permit));
  }

  /** @returns Undefined if the browser fails to start; this is logged, and another one is started later. */
  async #launch(slots: WarmSlots, warm: WarmBrowser, permit: Disposable): Promise<HostedBrowser | undefined> {
    const { host, log } = this.#needs;
    const { id, stop } = warm;
    const { options } = slots.set;
    const startedAt = this.#now();
    try {
      const hosted = await host.open({ ...options, id, proxy: "nowhere" }, stop.signal);
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

  /** Replaces a browser that ended in the pool. */
  #replace(slots: WarmSlots, warm: WarmBrowser, exit: BrowserExit): void {
    if (!slots.browsers.has(warm)) return;
    this.#needs.log.warn("warm.failed", { ...slots.removeFailed(warm, this.#now()), exit });
    void this.#end(slots, warm);
    this.#refillLater();
  }

  /** Resolves when the browser has released everything. Never rejects. */
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
