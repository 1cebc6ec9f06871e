import { toPeriod } from "../../../domain/account/units.ts";
import type { UsageReports } from "../../../services/accounts/usage-reports.ts";
import type { Guards } from "../../kit/guards.ts";
import { readMonth } from "../../kit/month.ts";
import { renderUsage } from "./usage-view.ts";

export type UsageNeeds = { readonly reports: UsageReports };

/** What the account consumed, month by month. */
export function mountUsage({ member }: Guards, { reports }: UsageNeeds): void {
  member.get("/dashboard/usage", async (context) => {
    const { account, frame } = context;
    const report = await reports.month(account, readMonth(context, reports.period));
    return context.show({
      title: "Usage",
      current: "/dashboard/usage",
      styles: ["dashboard/usage/usage.css"],
      main: renderUsage(frame, report, toPeriod(account.createdAt)),
    });
  });
}
