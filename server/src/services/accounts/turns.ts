import { sleep } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Pacer } from "./pacer.ts";

type Limits = {
  /** After this time, a call gives up. */
  readonly maxWaitMs: number;
  /** How much later than a call of the rank below one tries to get a free turn. */
  readonly stepMs: number;
  readonly maxPerKey: number;
  readonly maxAll: number;
};

/** A call that waits for a turn of its key. */
type Waiting = {
  readonly key: string;
  readonly rank: number;
  readonly displaced: AbortController;
  /** When the key has a turn again, as far as this call knows. */
  freeAtMs: number;
};

const MAX_RANK = 10;

/**
 * Lets calls wait until their key has a turn. Those of a low rank come first, in this process and, by a few ms, among
 * all.
 */
export class Turns {
  readonly #pacer: Pick<Pacer, "take">;
  readonly #clock: Pick<Clock, "elapsedMs" | "after">;
  readonly #limits: Limits;
  readonly #waiting = new Set<Waiting>();

  constructor(pacer: Pick<Pacer, "take">, clock: Pick<Clock, "elapsedMs" | "after">, limits: Limits) {
    this.#pacer = pacer;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Number of calls that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * @param rank If too many wait, one of the highest rank gives up.
   * @returns Undefined when the call has a turn; otherwise the seconds until it is worth to try again.
   * @throws {unknown} The signal's reason, when it is aborted.
   */
  async take(key: string, rank: number, signal: AbortSignal): Promise<number | undefined> {
    const call = this.#enter(key, Math.min(rank, MAX_RANK));
    try {
      return await this.#wait(call, signal);
    } finally {
      this.#waiting.delete(call);
    }
  }

  async #wait(call: Waiting, signal: AbortSignal): Promise<number | undefined> {
    const lastMs = this.#nowMs + this.#limits.maxWaitMs;
    const { displaced, key } = call;
    const either = AbortSignal.any([signal, displaced.signal]);
    for (;;) {
      await this.#untilFree(call, either);
      signal.throwIfAborted();
      const waitS = displaced.signal.aborted ? this.#toSeconds(call) : await this.#pacer.take(key);
      if (waitS === undefined) return undefined;
      call.freeAtMs = this.#nowMs + Math.ceil(waitS * 1000);
      if (displaced.signal.aborted || call.freeAtMs > lastMs) return waitS;
    }
  }

  /** A call that finds others waiting lets those of lower ranks go first. */
  async #untilFree({ freeAtMs, rank }: Waiting, signal: AbortSignal): Promise<void> {
    const delayMs = freeAtMs === 0 ? 0 : freeAtMs + rank * this.#limits.stepMs - this.#nowMs;
    if (delayMs > 0) await sleep(delayMs, this.#clock, signal);
  }

  #enter(key: string, rank: number): Waiting {
    const ofKey = [...this.#waiting].filter((other) => other.key === key);
    const freeAtMs = Math.max(0, ...ofKey.map((other) => other.freeAtMs));
    const call: Waiting = { key, rank, displaced: new AbortController(), freeAtMs };
    this.#waiting.add(call);
    if (ofKey.length >= this.#limits.maxPerKey) this.#displaceOne([...ofKey, call]);
    else if (this.#waiting.size > this.#limits.maxAll) this.#displaceOne(this.#waiting);
    return call;
  }

  /** Of those with the highest rank, the latest one gives up. */
  #displaceOne(calls: Iterable<Waiting>): void {
    let one: Waiting | undefined;
    for (const call of calls) if (one === undefined || call.rank >= one.rank) one = call;
    if (one === undefined) return;
    this.#waiting.delete(one);
    one.displaced.abort();
  }

  #toSeconds({ freeAtMs }: Waiting): number {
    return Math.max(1, (freeAtMs - this.#nowMs) / 1000);
  }

  get #nowMs(): number {
    return this.#clock.elapsedMs();
  }
}
