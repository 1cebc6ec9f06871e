import { toPeriod } from "../../../domain/units.ts";
import type { UsageReports } from "../../../services/usage-reports.ts";
import type { Doors } from "../frame/doors.ts";
import { readMonth } from "../frame/month.ts";
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
      styles: ["usage.css"],
      main: renderUsage(frame, report, toPeriod(account.createdAt)),
    });
  });
}
