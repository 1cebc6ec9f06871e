import { sleep } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Pacer } from "./pacer.ts";

type Limits = {
  /** After this time, a sign-in gives up. */
  readonly maxWaitMs: number;
  /** How much later than a sign-in of the rank below one tries to get a free turn. */
  readonly stepMs: number;
  readonly maxPerKey: number;
  readonly maxAll: number;
};

/** Why a sign-in gets no turn: its key has failed too often, or too many wait in all. */
export type NoTurn = { readonly reason: "failures" | "full"; readonly waitS: number };

/** A sign-in that waits for a turn of its key. */
type Waiting = {
  readonly key: string;
  readonly rank: number;
  /** Is aborted with the `reason` of `NoTurn`. */
  readonly displaced: AbortController;
  /** When the key has a turn again, as far as this sign-in knows. */
  freeAtMs: number;
};

const MAX_RANK = 10;

/**
 * Lets sign-ins wait until their key has a turn. Sign-ins of a low rank come first, in this process and, by a few ms,
 * among all.
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

  /** Number of sign-ins that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * A key that has a turn doesn't wait, however many others do.
   * @param rank If too many wait for the key, one of the highest rank gives up. If too many wait in all, it is one of
   *   the key for which the most wait.
   * @returns Undefined when the sign-in has a turn; otherwise why not, and when it makes sense to try again.
   * @throws {unknown} The signal's reason, when it is aborted.
   */
  async take(key: string, rank: number, signal: AbortSignal): Promise<NoTurn | undefined> {
    signal.throwIfAborted();
    // If others wait for the key, the ranks decide who asks first.
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
      await this.#untilFree(call, either);
      signal.throwIfAborted();
      if (displaced.aborted) break;
      const waitS = await this.#pacer.take(call.key);
      if (waitS === undefined) return undefined;
      call.freeAtMs = this.#toTime(waitS);
    }
    const waitS = Math.max(1, (call.freeAtMs - this.#nowMs) / 1000);
    return { reason: displaced.aborted ? displaced.reason : "failures", waitS };
  }

  /** Sign-ins of lower ranks go first. */
  async #untilFree({ freeAtMs, rank }: Waiting, signal: AbortSignal): Promise<void> {
    const delayMs = freeAtMs + rank * this.#limits.stepMs - this.#nowMs;
    if (delayMs > 0) await sleep(delayMs, this.#clock, signal);
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

  /** The sign-ins of the keys for which the most wait. */
  #ofLongest(): Waiting[] {
    const keys = [...Map.groupBy(this.#waiting, ({ key }) => key).values()];
    const most = Math.max(...keys.map(({ length }) => length));
    return keys.filter(({ length }) => length === most).flat();
  }

  /** Of those with the highest rank, the latest one gives up. */
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
