import { Failure } from "../../../server/src/domain/failure.ts";
import type { Mutant } from "../mutant.ts";
import { beforeContent, onFailure } from "./alter.ts";
import { onBrowsers, onOtherOperations, onQuery } from "./use-cases.ts";

const noSubscription = (): Failure => new Failure("NoSubscription", "The account has no active subscription.");

/** Accounts without a subscription, and rate limits. */
export const SUBSCRIPTION_MUTANTS: readonly Mutant[] = [
  {
    id: "subscription-none-opens",
    title: "An account without a subscription may open browsers",
    killedBy: ["RBS-SUB-01"],
    fault: () =>
      onBrowsers((browsers) => ({
        openNew: ({ account, ...call }, ...rest) =>
          browsers.openNew({ ...call, account: { ...account, plan: account.plan ?? "self-hosted" } }, ...rest),
      })),
  },
  {
    id: "subscription-for-everything",
    title: "An account without a subscription can't call any operation",
    killedBy: ["RBS-SUB-02"],
    fault: () =>
      onOtherOperations(({ plan }) => {
        if (plan === undefined) throw noSubscription();
      }),
  },
  {
    id: "subscription-for-query",
    title: "Query requires a subscription",
    killedBy: ["RBS-AI-09"],
    fault: () =>
      onQuery((query) => ({
        async ask(account, ...rest) {
          if (account.plan === undefined) throw noSubscription();
          return query.ask(account, ...rest);
        },
      })),
  },
  {
    id: "subscription-before-content",
    title: "The subscription is checked before the options",
    killedBy: ["RBS-SUB-03"],
    fault: () => beforeContent("NoSubscription"),
  },
  {
    id: "rate-for-ever",
    title: "A request after Retry-After is refused again",
    killedBy: ["RBS-RATE-01"],
    fault: () => ({
      ...onFailure("TooManyRequests", () => ({ headers: { "Retry-After": "1" } })),
      settings: { RBS_RATE: "150/86400" },
    }),
  },
];
