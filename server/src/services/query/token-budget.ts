import { Failure } from "../../domain/failure.ts";
import { DAY_MS } from "../../domain/durations.ts";
import { toDay } from "../../domain/plan/units.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { QueryStore } from "../../ports/store/query-store.ts";

type TokenBudgetNeeds = {
  readonly store: QueryStore;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "error">;
  /** Daily token limits (UTC), per account and for all accounts together; undefined for no limit. */
  readonly perAccount: number | undefined;
  readonly perDeployment: number | undefined;
};

/**
 * Limits the tokens that accounts use at the operator's expense. Queries in progress are always finished, so they can
 * exceed the limit.
 */
export class TokenBudget {
  readonly #needs: TokenBudgetNeeds;

  constructor(needs: TokenBudgetNeeds) {
    this.#needs = needs;
  }

  /** Whether tokens are limited. Without limits, tokens aren't counted. */
  get #hasLimits(): boolean {
    return this.#needs.perAccount !== undefined || this.#needs.perDeployment !== undefined;
  }

  /** @throws {Failure} `TooManyRequests` or `ProviderUnavailable` if today's tokens are used up. */
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

  /** Counts used tokens. Never rejects, because a paid answer must not be lost. */
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
