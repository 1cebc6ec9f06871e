import type { Clock } from "../ports/clock.ts";
import { releaseOnce } from "./release-once.ts";

type SemaphoreOptions = {
  /** Maximum number of permits held at the same time. */
  readonly limit: number;
  /** Maximum permits per share. Defaults to `limit`. */
  readonly perShare?: number;
  readonly maxWaiting: number;
  /** Maximum wait per caller, in ms. Undefined: no limit. */
  readonly maxWaitMs?: number;
  readonly clock: Pick<Clock, "after">;
  /** Creates the error for a caller that arrives when the queue is full. */
  readonly onFull: () => Error;
  /** Creates the error for a caller that has waited too long. Defaults to `onFull`. */
  readonly onLate?: () => Error;
  /** Called when a permit becomes free after all were in use. */
  readonly onFree?: () => void;
};

type Waiting = {
  readonly share: string;
  readonly grant: () => void;
  readonly refuse: () => void;
};

/**
 * A counting semaphore. Within a share, callers receive permits in call order. The next permit goes to the share that
 * holds the fewest permits, so a share with many callers doesn't delay the other shares.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #waiting = new Set<Waiting>();
  /** Number of permits held by each share. */
  readonly #shares = new Map<string, number>();
  #held = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a permit. Disposing the permit releases it. Disposing it again has no effect.
   * @param share The permit's owner, such as an account.
   * @throws {Error} The `onFull` error, immediately if the queue is full, or later if this caller is removed to make
   * room for another share; the `onLate` error after `maxWaitMs`; `signal.reason` if the signal is aborted.
   */
  async acquire(signal?: AbortSignal, share = ""): Promise<Disposable> {
    signal?.throwIfAborted();
    const permit = this.tryAcquire(share);
    if (permit !== undefined) return permit;
    if (this.#waiting.size >= this.#options.maxWaiting) this.#makeRoom(share);
    await this.#wait(signal, share);
    return this.#newPermit(share);
  }

  /** Returns a permit if one is free, or undefined. */
  tryAcquire(share = ""): Disposable | undefined {
    if (this.#held >= this.#options.limit || !this.#hasRoom(share)) return undefined;
    this.#held += 1;
    this.#count(share, 1);
    return this.#newPermit(share);
  }

  #newPermit(share: string): Disposable {
    return releaseOnce(() => {
      this.#count(share, -1);
      const next = this.#next();
      // Pass the permit directly to the next caller, so that a new caller can't take it first.
      if (next === undefined) {
        this.#held -= 1;
        if (this.#held === this.#options.limit - 1) this.#options.onFree?.();
      } else {
        this.#count(next.share, 1);
        next.grant();
      }
    });
  }

  #count(share: string, change: 1 | -1): void {
    const held = (this.#shares.get(share) ?? 0) + change;
    if (held === 0) this.#shares.delete(share);
    else this.#shares.set(share, held);
  }

  #next(): Waiting | undefined {
    const heldBy = ({ share }: Waiting): number => this.#shares.get(share) ?? 0;
    let next: Waiting | undefined;
    for (const each of this.#waiting) {
      if (this.#hasRoom(each.share) && (next === undefined || heldBy(each) < heldBy(next))) next = each;
    }
    return next;
  }

  #hasRoom(share: string): boolean {
    return (this.#shares.get(share) ?? 0) < (this.#options.perShare ?? Infinity);
  }

  /** Rejects the last caller in the largest share. @throws {Error} `onFull` if the new caller is last. */
  #makeRoom(share: string): void {
    const all = Map.groupBy(this.#waiting, (each) => each.share);
    const [most = []] = [...all.values()].toSorted((one, other) => other.length - one.length);
    const last = most.at(-1);
    if (last === undefined || most.length <= (all.get(share)?.length ?? 0) + 1) throw this.#options.onFull();
    last.refuse();
  }

  async #wait(signal: AbortSignal | undefined, share: string): Promise<void> {
    const { maxWaitMs, clock, onFull, onLate = onFull } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (reason: unknown): void => {
      // Leave the queue immediately: a permit given to an aborted caller would never be released.
      if (this.#waiting.delete(waiting)) reject(reason);
    };
    const grant = (): void => {
      this.#waiting.delete(waiting);
      resolve();
    };
    const waiting: Waiting = { share, grant, refuse: () => giveUp(onFull()) };
    const onAbort = (): void => giveUp(signal?.reason);
    this.#waiting.add(waiting);
    signal?.addEventListener("abort", onAbort);
    const cancel = maxWaitMs === undefined ? undefined : clock.after(maxWaitMs, () => giveUp(onLate()));
    try {
      await promise;
    } finally {
      cancel?.();
      signal?.removeEventListener("abort", onAbort);
    }
  }
}
