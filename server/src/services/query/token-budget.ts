import { Failure } from "../../domain/failure.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { QueryStore } from "../../ports/store/query-store.ts";

type TokenBudgetNeeds = {
  readonly store: QueryStore;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "error">;
  /** Tokens a day (UTC) of one account, and of all accounts; undefined: no limit. */
  readonly perAccount: number | undefined;
  readonly perDeployment: number | undefined;
};

/**
 * Bounds what accounts cost the operator at the provider. A query that has begun is always finished, so the last ones
 * of a day can exceed the limit.
 */
export class TokenBudget {
  readonly #needs: TokenBudgetNeeds;

  constructor(needs: TokenBudgetNeeds) {
    this.#needs = needs;
  }

  /** Without limits, nothing is counted. */
  get #hasLimits(): boolean {
    return this.#needs.perAccount !== undefined || this.#needs.perDeployment !== undefined;
  }

  /** @throws {Failure} `TooManyRequests` or `ProviderUnavailable` when the tokens of today are used. */
  async check(accountId: string): Promise<void> {
    const { store, clock, perAccount = Infinity, perDeployment = Infinity } = this.#needs;
    if (!this.#hasLimits) return;
    const now = clock.now();
    const { own, all } = await store.sumTokens(accountId, toDay(now));
    const until = { retryAfterS: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) };
    if (own >= perAccount) {
      const message = `This account has used up its ${perAccount} language-model tokens for today. Wait until tomorrow (UTC), or set your own provider key in the web settings.`;
      throw new Failure("TooManyRequests", message, until);
    }
    if (all >= perDeployment) {
      const message =
        "This service has used up its language-model tokens for today. Wait until tomorrow (UTC), or set your own provider key in the web settings.";
      throw new Failure("ProviderUnavailable", message, until);
    }
  }

  /** Never rejects: an answer that was paid for is not thrown away. */
  async spend(accountId: string, tokens: number): Promise<void> {
    const { store, clock, log } = this.#needs;
    if (tokens === 0 || !this.#hasLimits) return;
    try {
      await store.addTokens(accountId, toDay(clock.now()), tokens);
    } catch (error) {
      log.error("query.tokens_not_counted", { account: accountId, tokens, error });
    }
  }
}

/** In UTC: `2026-11-21`. */
function toDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
