import { Failure } from "../../../../server/src/domain/failure.ts";
import { type Mutant, mutant } from "../../mutant.ts";
import { beforeContent, onFailure } from "../../faults/alter.ts";
import { onOpen, onOtherOperations, onQuery } from "../../faults/use-cases.ts";

const noSubscription = (): Failure => new Failure("NoSubscription", "The account has no active subscription.");

/** Faults in rejecting accounts without a subscription, and in rate limits. */
export const SUBSCRIPTION_MUTANTS: readonly Mutant[] = [
  mutant("subscription-none-opens", ["RBS-SUB-01"], "An account without a subscription may open browsers", () =>
    onOpen(({ account, ...call }, open) =>
      open({ ...call, account: { ...account, plan: account.plan ?? "self-hosted" } }),
    ),
  ),
  mutant("subscription-for-everything", ["RBS-SUB-02"], "Every operation requires a subscription", () =>
    onOtherOperations(({ plan }) => {
      if (plan === undefined) throw noSubscription();
    }),
  ),
  mutant("subscription-for-query", ["RBS-AI-09"], "Query requires a subscription", () =>
    onQuery((query) => ({
      async ask(account, ...rest) {
        if (account.plan === undefined) throw noSubscription();
        return query.ask(account, ...rest);
      },
    })),
  ),
  mutant("subscription-before-content", ["RBS-SUB-03"], "The subscription is checked before the options", () =>
    beforeContent("NoSubscription"),
  ),
  mutant("rate-for-ever", ["RBS-RATE-01"], "A request sent after Retry-After has passed is rejected again", () => ({
    ...onFailure("TooManyRequests", () => ({ headers: { "Retry-After": "1" } })),
    settings: { RBS_RATE: "150/86400" },
  })),
];
