import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { AttemptLimit } from "../../ports/store/attempt-store.ts";

/** Counts points per key, in memory. */
export class Limiter {
  readonly #limiter: RateLimiterMemory;
  readonly #maxKeys: number;
  /** Keys in the order in which their periods started. Some periods may have ended. */
  readonly #keys = new Set<string>();

  /**
   * @param maxKeys The maximum number of keys. If exceeded, the oldest key is forgotten, as if it had used no points.
   * This limits memory use to half a KiB per key and prevents other users' keys from locking a user out.
   */
  constructor({ points, perS }: AttemptLimit, maxKeys: number) {
    this.#limiter = new RateLimiterMemory({ points, duration: perS });
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#keys.size;
  }

  /**
   * Deducts a point immediately, so that concurrent calls can't exceed the limit.
   * @returns Undefined if a point remained; otherwise the number of seconds until the next one.
   */
  async take(key: string): Promise<number | undefined> {
    try {
      const { isFirstInDuration } = await this.#limiter.consume(key);
      if (isFirstInDuration) await this.#remember(key);
      return undefined;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      // Undo the library's count of a refused call; otherwise, giving back a point wouldn't permit the next call.
      await this.giveBack(key);
      return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    }
  }

  /** Gives back a point, unless the key's period has ended. */
  async giveBack(key: string): Promise<void> {
    const { consumedPoints = 0 } = (await this.#limiter.get(key)) ?? {};
    if (consumedPoints > 0) await this.#limiter.reward(key);
  }

  async #remember(key: string): Promise<void> {
    this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= this.#maxKeys) return;
      this.#keys.delete(oldest);
      await this.#limiter.delete(oldest);
    }
  }
}
