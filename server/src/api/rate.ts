import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Account, Rate } from "../domain/account/account.ts";
import { Failure } from "../domain/failure.ts";

/** @throws {Failure} `TooManyRequests`, with the seconds until the next request is accepted. */
export type RateCheck = (account: Account) => Promise<void>;

/** @param isExempt Whether an account has no rate limit. */
export function newRateCheck(rate: Rate, isExempt: (account: Account) => boolean): RateCheck {
  const limiter = new RateLimiterMemory({ points: rate.requests, duration: rate.perS });
  return async (account) => {
    if (isExempt(account)) return;
    try {
      await limiter.consume(account.id);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfterS = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw new Failure(
        "TooManyRequests",
        `This account may make ${rate.requests} requests in ${rate.perS} s: try again in ${retryAfterS} s.`,
        { retryAfterS },
      );
    }
  };
}
