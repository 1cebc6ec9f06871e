import type { Handlers } from "../../contract/operation.ts";
import type { Subscriptions } from "../../services/accounts/subscriptions.ts";

/** Handles the operation that shows an account to its own programs. */
export function newAccountHandlers(subscriptions: Pick<Subscriptions, "read">): Pick<Handlers, "getAccount"> {
  return {
    async getAccount({ account }) {
      const { plan, unitsUsed, unitsLeft, hasAdditionalUnits, period, browsers } = await subscriptions.read(account);
      const { name, parallel, maxLifetimeMs } = plan ?? {};
      return {
        status: 200,
        body: {
          plan: name ?? null,
          parallel: parallel ?? null,
          open: browsers,
          period,
          unitsUsed,
          unitsLeft: unitsLeft ?? null,
          additionalUnits: hasAdditionalUnits,
          maxLifetime: maxLifetimeMs === undefined ? null : maxLifetimeMs / 1000,
        },
      };
    },
  };
}
