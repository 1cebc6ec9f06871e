import { toPeriod } from "../../../domain/account/units.ts";
import type { UsageReports } from "../../../services/accounts/usage-reports.ts";
import type { Doors } from "../../kit/doors.ts";
import { readMonth } from "../../kit/month.ts";
import { renderUsage } from "./usage-view.ts";

export type UsageNeeds = { readonly reports: UsageReports };

/** What the account consumed, month by month. */
export function mountUsage({ member }: Doors, { reports }: UsageNeeds): void {
  member.get("/dashboard/usage", async (visit) => {
    const { account, frame } = visit;
    const report = await reports.month(account, readMonth(visit, reports.period));
    return visit.show({
      title: "Usage",
      current: "/dashboard/usage",
      styles: ["dashboard/usage/usage.css"],
      main: renderUsage(frame, report, toPeriod(account.createdAt)),
    });
  });
}
