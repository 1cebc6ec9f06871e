import type { Pace } from "../../ports/store/attempt-store.ts";
import type { Clock } from "../../ports/clock.ts";

/** Counts and paces tries per key, in memory. */
export class Pacer {
  readonly #pace: Pace;
  readonly #maxKeys: number;
  readonly #clock: Pick<Clock, "elapsedMs">;
  /** Keys, ordered by the time of their last try. */
  readonly #keys = new Map<string, { readonly tries: number; readonly lastMs: number }>();

  /** @param maxKeys The maximum number of keys. If it is exceeded, the least recently tried key is forgotten. */
  constructor(pace: Pace, maxKeys: number, clock: Pick<Clock, "elapsedMs">) {
    this.#pace = pace;
    this.#maxKeys = maxKeys;
    this.#clock = clock;
  }

  get size(): number {
    return this.#keys.size;
  }

  /** Returns the number of tries that the key has taken. */
  count(key: string): number {
    const known = this.#keys.get(key);
    const isOver = known === undefined || this.#sinceS(known) >= this.#pace.forgetAfterS;
    return isOver ? 0 : known.tries;
  }

  /** @returns Undefined if the pause after the last try is over; otherwise the number of seconds remaining. */
  async take(key: string): Promise<number | undefined> {
    const known = this.#keys.get(key);
    const tries = this.count(key);
    const waitS = known === undefined ? 0 : toPauseS(tries, this.#pace) - this.#sinceS(known);
    if (waitS > 0) return waitS;
    this.#keys.delete(key);
    this.#keys.set(key, { tries: tries + 1, lastMs: this.#clock.elapsedMs() });
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > this.#maxKeys && oldest !== undefined) this.#keys.delete(oldest);
    return undefined;
  }

  /** Stops counting a try, which shortens later pauses. A key without counted tries is forgotten. */
  async giveBack(key: string): Promise<void> {
    const known = this.#keys.get(key);
    if (known === undefined) return;
    if (known.tries > 1) this.#keys.set(key, { ...known, tries: known.tries - 1 });
    else this.#keys.delete(key);
  }

  #sinceS({ lastMs }: { readonly lastMs: number }): number {
    return (this.#clock.elapsedMs() - lastMs) / 1000;
  }
}

function toPauseS(tries: number, { freeTries, maxPauseS }: Pace): number {
  return tries < freeTries ? 0 : Math.min(maxPauseS, 2 ** (tries - freeTries));
}
