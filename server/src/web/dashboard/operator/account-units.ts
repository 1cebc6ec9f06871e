import { html } from "hono/html";
import { toSubscription } from "../../../domain/account/account.ts";
import type { Plans } from "../../../domain/account/plan.ts";
import type { AccountReport } from "../../../services/accounts/accounts.ts";
import { toNumber } from "../../kit/format.ts";
import type { Html } from "../../kit/layout.ts";

/** Units of this month, of how many. */
export function renderUnits(account: AccountReport, plans: Plans): Html {
  const subscription = toSubscription(account, plans);
  if (subscription === undefined) return html`${toNumber(account.unitsUsed)}`;
  return html`${toNumber(account.unitsUsed)}${subscription.unitsPerMonth === undefined ? ", without limit" : ` of ${toNumber(subscription.unitsPerMonth)}`}`;
}
