import { sleep } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Pacer } from "./pacer.ts";

type Limits = {
  readonly maxWaitMs: number;
  /** How long a sign-in waits per rank before it takes a free turn. */
  readonly stepMs: number;
  readonly maxPerKey: number;
  readonly maxAll: number;
};

/** Why a sign-in was refused: its key has failed too often, or too many sign-ins are waiting. */
export type NoTurn = { readonly reason: "failures" | "full"; readonly waitS: number };

/** A sign-in that is waiting for its turn among sign-ins with the same key. */
type Waiting = {
  readonly key: string;
  readonly rank: number;
  /** Aborted with the value for `NoTurn.reason`. */
  readonly displaced: AbortController;
  /** The earliest time at which the key may have a turn. */
  freeAtMs: number;
};

const MAX_RANK = 10;

/**
 * Makes sign-ins with the same key take turns. Lower ranks go first in this process; across processes, they have a head
 * start of a few ms.
 */
export class SignInQueue {
  readonly #pacer: Pick<Pacer, "take">;
  readonly #clock: Pick<Clock, "elapsedMs" | "after">;
  readonly #limits: Limits;
  readonly #waiting = new Set<Waiting>();

  constructor(pacer: Pick<Pacer, "take">, clock: Pick<Clock, "elapsedMs" | "after">, limits: Limits) {
    this.#pacer = pacer;
    this.#clock = clock;
    this.#limits = limits;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Takes one of the key's turns, waiting if necessary. Sign-ins with other keys don't delay this one.
   * @param rank If too many sign-ins wait for the key, one with the highest rank is refused. If too many sign-ins wait
   * in total, one with the most common key is refused.
   * @returns Undefined if the sign-in may proceed; otherwise why it was refused, and when to retry.
   * @throws {unknown} The signal's reason if it is aborted.
   */
  async take(key: string, rank: number, signal: AbortSignal): Promise<NoTurn | undefined> {
    signal.throwIfAborted();
    // If other sign-ins are waiting with the same key, the ranks determine the order.
    const waitS = this.#ofKey(key).length > 0 ? 0 : await this.#pacer.take(key);
    if (waitS === undefined) return undefined;
    const call = this.#enter(key, Math.min(rank, MAX_RANK), waitS);
    try {
      return await this.#wait(call, signal);
    } finally {
      this.#waiting.delete(call);
    }
  }

  async #wait(call: Waiting, signal: AbortSignal): Promise<NoTurn | undefined> {
    const lastMs = this.#nowMs + this.#limits.maxWaitMs;
    const displaced = call.displaced.signal;
    const either = AbortSignal.any([signal, displaced]);
    while (call.freeAtMs <= lastMs) {
      // Sign-ins with lower ranks go first.
      const delayMs = call.freeAtMs + call.rank * this.#limits.stepMs - this.#nowMs;
      if (delayMs > 0) await sleep(delayMs, this.#clock, either);
      signal.throwIfAborted();
      if (displaced.aborted) break;
      const waitS = await this.#pacer.take(call.key);
      if (waitS === undefined) return undefined;
      call.freeAtMs = this.#toTime(waitS);
    }
    const waitS = Math.max(1, (call.freeAtMs - this.#nowMs) / 1000);
    return { reason: displaced.aborted ? displaced.reason : "failures", waitS };
  }

  #enter(key: string, rank: number, waitS: number): Waiting {
    const ofKey = this.#ofKey(key);
    const freeAtMs = Math.max(this.#toTime(waitS), ...ofKey.map((other) => other.freeAtMs));
    const call: Waiting = { key, rank, displaced: new AbortController(), freeAtMs };
    this.#waiting.add(call);
    if (ofKey.length >= this.#limits.maxPerKey) this.#displaceOne([...ofKey, call], "failures");
    else if (this.#waiting.size > this.#limits.maxAll) this.#displaceOne(this.#ofLongest(), "full");
    return call;
  }

  #ofKey(key: string): Waiting[] {
    return [...this.#waiting].filter((one) => one.key === key);
  }

  #ofLongest(): Waiting[] {
    const keys = [...Map.groupBy(this.#waiting, ({ key }) => key).values()];
    const most = Math.max(...keys.map(({ length }) => length));
    return keys.filter(({ length }) => length === most).flat();
  }

  /** Refuses the newest sign-in with the highest rank. */
  #displaceOne(calls: readonly Waiting[], reason: NoTurn["reason"]): void {
    const highest = Math.max(...calls.map(({ rank }) => rank));
    const one = calls.findLast(({ rank }) => rank === highest);
    if (one === undefined) return;
    this.#waiting.delete(one);
    one.displaced.abort(reason);
  }

  #toTime(waitS: number): number {
    return this.#nowMs + Math.ceil(waitS * 1000);
  }

  get #nowMs(): number {
    return this.#clock.elapsedMs();
  }
}
