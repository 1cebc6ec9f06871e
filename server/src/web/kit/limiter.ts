import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export type Limit = {
  /** Points that a key may have taken in `perS` seconds, which begin at its first. */
  readonly points: number;
  readonly perS: number;
};

/** Points a key, in memory. */
export type Limiter = {
  /**
   * Takes a point at once, so that of any number of calls at the same time no more than the limit's points succeed.
   * @returns Undefined when it was taken; else the seconds until there is one again.
   */
  readonly take: (key: string) => Promise<number | undefined>;
  /** Gives a point back that was taken; without effect once the key's time is over. */
  readonly giveBack: (key: string) => Promise<void>;
  /** Keys that are remembered. */
  readonly size: () => number;
};

/**
 * @param maxKeys Beyond so many keys the one whose time began first is forgotten, as if it had taken nothing. That bounds the
 *   memory, and nobody is locked out by other people's keys; a key takes half a KiB.
 */
export function newLimiter({ points, perS }: Limit, maxKeys: number): Limiter {
  const limiter = new RateLimiterMemory({ points, duration: perS });
  /** In the order in which their time began, hence will end; some are over. */
  const keys = new Set<string>();

  async function remember(key: string): Promise<void> {
    keys.delete(key);
    keys.add(key);
    for (const oldest of keys) {
      if (keys.size <= maxKeys) return;
      keys.delete(oldest);
      await limiter.delete(oldest);
    }
  }

  async function giveBack(key: string): Promise<void> {
    const { consumedPoints = 0 } = (await limiter.get(key)) ?? {};
    if (consumedPoints > 0) await limiter.reward(key);
  }

  return {
    async take(key) {
      try {
        const { isFirstInDuration } = await limiter.consume(key);
        if (isFirstInDuration) await remember(key);
        return undefined;
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        // The limiter counts it all the same, and then points given back would be too few for the next one.
        await giveBack(key);
        return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      }
    },
    giveBack,
    size: () => keys.size,
  };
}
