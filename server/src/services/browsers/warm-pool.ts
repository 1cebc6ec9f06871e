import { toCause } from "../../domain/failure.ts";
import { type OptionSet, describeSet, toSetKey } from "../../domain/browser/option-set.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import type { WarmSet } from "../../domain/browser/warm-set.ts";
import type { BrowserExit, BrowserHost, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Capacity } from "./capacity.ts";
import type { LaunchGate } from "./launch-gate.ts";
import { type WarmBrowser, WarmShelf } from "./warm-shelf.ts";

/** From a gap until it is filled: a client's first page is not to compete with the start of another browser. */
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

/** A browser that was started before it was asked for, and what its folder is called. */
export type Taken = { readonly hosted: HostedBrowser; readonly cell: string };

/**
 * Keeps browsers ready, each for one Open. They fill only places that nobody has taken, and are started only when no
 * Open is. Disposing ends them; twice is safe.
 */
export class WarmPool implements AsyncDisposable {
  readonly #needs: Needs;
  /** By the key of their set, the first named by the operator first. */
  readonly #shelves: ReadonlyMap<string, WarmShelf>;
  /** Ends under way: these still hold what they hold. */
  readonly #ends = new Set<Promise<void>>();
  #cancelLook: (() => void) | undefined;
  #ending: Promise<void> | undefined;

  /** The first ones are started a moment later. */
  constructor(needs: Needs) {
    this.#needs = needs;
    this.#shelves = new Map(needs.sets.map((set) => [toSetKey(set.options), new WarmShelf(set)]));
    this.#lookLater();
  }

  /** How many stand ready. */
  get standing(): number {
    return this.#count(({ standingSince, isClaimed }) => standingSince !== undefined && !isClaimed);
  }

  /** How many places they fill: those that are starting and ending as well, but not those that an Open waits for. */
  get size(): number {
    return this.#ends.size + this.#count(({ isClaimed }) => !isClaimed);
  }

  /**
   * Gives one away that was started with these options: at once if one stands ready, or when one that is starting is.
   * @returns Undefined when there is none.
   * @throws {unknown} `signal.reason`; the browser stays then.
   */
  async take(options: OptionSet, signal: AbortSignal): Promise<Taken | undefined> {
    const shelf = this.#shelves.get(toSetKey(options));
    const warm = shelf?.find();
    if (shelf === undefined || warm === undefined) return undefined;
    warm.isClaimed = true;
    const hosted = await orAborted(warm.started, signal).catch((reason: unknown) => {
      warm.isClaimed = false;
      throw reason;
    });
    // It did not start, or has gone meanwhile.
    if (hosted === undefined || !shelf.browsers.has(warm)) return undefined;
    shelf.give(warm, this.#now(), REFILL_MS);
    this.#lookLater();
    return { hosted, cell: warm.id };
  }

  /** Ends as many as it takes for an Open that has its place already, those of the sets named last first. */
  async makeRoom(): Promise<void> {
    const { capacity } = this.#needs;
    while (capacity.taken + this.size > capacity.limit) {
      const [spare] = [...this.#all()].filter(([, { isClaimed }]) => !isClaimed).toReversed();
      if (spare !== undefined) await this.#end(...spare);
      else if (this.#ends.size > 0) await Promise.all(this.#ends);
      else return;
      this.#lookLater();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#ending ??= this.#endAll());
  }

  async #endAll(): Promise<void> {
    this.#cancelLook?.();
    for (const [shelf, warm] of this.#all()) void this.#end(shelf, warm);
    await Promise.all(this.#ends);
  }

  /** Looks again in a moment whether gaps can be filled, as long as there are any. */
  #lookLater(): void {
    const hasGap = [...this.#shelves.values()].some((shelf) => shelf.hasGap);
    if (!hasGap || this.#ending !== undefined || this.#cancelLook !== undefined) return;
    this.#cancelLook = this.#needs.clock.after(REFILL_MS, () => {
      this.#cancelLook = undefined;
      this.#look();
    });
  }

  /** Fills the gaps that may be filled now. */
  #look(): void {
    const { capacity, gate } = this.#needs;
    for (const shelf of this.#shelves.values()) {
      while (this.#ending === undefined && shelf.isDue(this.#now()) && capacity.taken + this.size < capacity.limit) {
        const turn = gate.tryAcquireForRefill();
        if (turn === undefined) break;
        this.#start(shelf, turn);
      }
    }
    this.#lookLater();
  }

  #start(shelf: WarmShelf, turn: Disposable): void {
    const { promise, resolve } = Promise.withResolvers<HostedBrowser | undefined>();
    const id = this.#needs.newId();
    const stop = new AbortController();
    const warm: WarmBrowser = { id, stop, started: promise, standingSince: undefined, isClaimed: false };
    shelf.browsers.add(warm);
    resolve(this.#launch(shelf, warm, turn));
  }

  /** @returns Undefined when it did not start; that is logged, and tried again later. */
  async #launch(shelf: WarmShelf, warm: WarmBrowser, turn: Disposable): Promise<HostedBrowser | undefined> {
    const { host, log } = this.#needs;
    const { id, stop } = warm;
    const startedAt = this.#now();
    try {
      const hosted = await host.open({ ...shelf.set.options, id, proxy: "nowhere" }, stop.signal);
      warm.standingSince = this.#now();
      log.info("warm.started", { id, ...describeSet(shelf.set.options), startMs: warm.standingSince - startedAt });
      void hosted.gone.then((exit) => this.#bury(shelf, warm, exit));
      return hosted;
    } catch (error) {
      if (!stop.signal.aborted) {
        log.warn("warm.failed", { ...shelf.lose(warm, this.#now()), error: toCause(error) });
      }
      return undefined;
    } finally {
      turn[Symbol.dispose]();
      this.#look();
    }
  }

  /** One that died while it stood ready is cleared away, and another one started in its place. */
  #bury(shelf: WarmShelf, warm: WarmBrowser, exit: BrowserExit): void {
    if (!shelf.browsers.has(warm)) return;
    this.#needs.log.warn("warm.failed", { ...shelf.lose(warm, this.#now()), exit });
    void this.#end(shelf, warm);
    this.#lookLater();
  }

  /** Resolves when nothing of it is left; never rejects. */
  async #end(shelf: WarmShelf, warm: WarmBrowser): Promise<void> {
    shelf.browsers.delete(warm);
    warm.stop.abort(new Error("This warm browser is not wanted any more."));
    const end = warm.started
      .then((hosted) => hosted?.[Symbol.asyncDispose]())
      .catch((error: unknown) => this.#needs.log.error("warm.release_failed", { id: warm.id, error }));
    this.#ends.add(end);
    await end;
    this.#ends.delete(end);
  }

  *#all(): Iterable<[WarmShelf, WarmBrowser]> {
    for (const shelf of this.#shelves.values()) for (const warm of shelf.browsers) yield [shelf, warm];
  }

  #count(counts: (warm: WarmBrowser) => boolean): number {
    return [...this.#all()].filter(([, warm]) => counts(warm)).length;
  }

  #now(): number {
    return this.#needs.clock.now().getTime();
  }
}
