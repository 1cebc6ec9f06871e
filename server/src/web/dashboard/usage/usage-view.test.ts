import { describe, expect, test } from "vitest";
import { toAllowance } from "../../../domain/account/allowance.ts";
import { type Plan, SELF_HOSTED } from "../../../domain/plan/plan.ts";
import type { UsageReport } from "../../../services/accounts/usage-reports.ts";
import type { Frame } from "../../kit/layout.ts";
import { renderUsage } from "./usage-view.ts";

const FRAME: Frame = { to: (path) => `/below${path}`, asset: (name) => name, user: undefined, isSignUpOpen: false };
const SMALL = { ...SELF_HOSTED, name: "small", parallel: 3, unitsPerMonth: 1000 };

/** Changes to the report of an account with a small plan and no usage. */
type Change = Partial<Omit<UsageReport, "allowance">> & {
  readonly plan?: Plan | undefined;
  readonly hasAdditionalUnits?: boolean;
};

function toReport({ plan, hasAdditionalUnits = false, ...change }: Change = { plan: SMALL }): UsageReport {
  const limits = { parallel: undefined, units: undefined, hasAdditionalUnits };
  const flags = { isDisabled: false, isOperator: false, version: 0, createdAt: new Date(0) };
  const account = { id: "me", email: "me@example.com", plan: plan?.name, ...limits, ...flags };
  const plans = new Map(plan === undefined ? [] : [[plan.name, plan]]);
  const days = Array.from({ length: 30 }, (_, index) => ({
    day: `2026-11-${String(index + 1).padStart(2, "0")}`,
    units: 0,
  }));
  return {
    period: "2026-11",
    isCurrent: true,
    units: 0,
    openBrowsers: 0,
    days,
    peaks: [0, 0],
    dailyPeaks: [{ day: "2026-11-01", peak: 0 }],
    allowance: toAllowance(account, plans, change.units ?? 0),
    parallel: 3,
    ...change,
  };
}

/** Returns a report with 400 units on the 2nd, and two simultaneous browsers in the second hour of that day. */
function busy(change: Change = {}): UsageReport {
  const days = toReport().days.map((day, index) => (index === 1 ? { ...day, units: 400 } : day));
  const dailyPeaks = [
    { day: "2026-11-01", peak: 0 },
    { day: "2026-11-02", peak: 2 },
  ];
  return toReport({
    plan: SMALL,
    units: 400,
    days,
    peaks: [...Array.from({ length: 25 }, () => 0), 2],
    dailyPeaks,
    ...change,
  });
}

async function show(report: UsageReport): Promise<string> {
  return String(await renderUsage(FRAME, report, "2026-10"));
}

/** Returns the page's text without markup. */
async function read(report: UsageReport): Promise<string> {
  return (await show(report)).replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
}

describe("a month's total", () => {
  test("is shown with the plan's units, the remaining units and the reset time", async () => {
    const words = await read(busy({ openBrowsers: 2 }));
    expect(words).toContain("400 of 1,000 units");
    expect(words).toContain("600 units are left");
    expect(words).toContain("resets on 1 December, 00:00 UTC");
    expect(words).toContain("You have 2 open browsers.");
    expect(await show(busy())).toMatch(/<meter[^>]*max="1000"[^>]*value="400"/);
  });

  test.each([
    [{ units: 1000 }, false, "You have used all of your plan's units. You can't open browsers until next month"],
    [{ units: 1003 }, false, "You have used all of your plan's units, and open browsers have used 3 more."],
    [
      { units: 1003 },
      true,
      "You have used 3 additional units beyond the 1,000 units of your plan. You can still open browsers",
    ],
    [{ units: 1001 }, true, "1 additional unit beyond"],
    [{ units: 999 }, true, "1 unit is left in your plan. Because additional units are on"],
    [{ units: 5, plan: SELF_HOSTED }, false, "Your plan, self-hosted, has unlimited units"],
    [{ units: 5, plan: undefined }, false, "Your account has no plan, so you can't open browsers"],
    [
      { units: 0, plan: { ...SMALL, unitsPerMonth: 0 } },
      false,
      "You have used all of your plan's units. You can't open",
    ],
  ])("with %j and additional units %s reads: %s", async (change, hasAdditionalUnits, words) => {
    expect(await read(busy({ ...change, hasAdditionalUnits }))).toContain(words);
  });

  test("has no limit in an earlier month, because the plan may have been different", async () => {
    const words = await read(busy({ isCurrent: false, period: "2026-10" }));
    expect(words).toContain("400 units");
    expect(words).not.toMatch(/of 1,000|left|next month/i);
  });

  test("has a meter capped at the limit, and no meter without a limit", async () => {
    expect(await show(busy({ units: 5000 }))).toMatch(/<meter[^>]*value="1000"/);
    expect(await show(busy({ plan: SELF_HOSTED }))).not.toContain("<meter");
  });
});

describe("the months", () => {
  test("range from the account's first month to the current one", async () => {
    expect(await show(toReport())).toContain('href="/below/dashboard/usage?month=2026-10"');
    expect(await show(toReport())).not.toContain("month=2026-12");
    const before = await show(toReport({ period: "2026-10", isCurrent: false }));
    expect(before).toContain('href="/below/dashboard/usage?month=2026-11"');
    expect(before).not.toContain("month=2026-09");
  });

  test("have no charts or exports if no browsers were open", async () => {
    const page = await show(toReport());
    expect(page).toContain("No browsers in November 2026");
    expect(page).toContain("/below/dashboard/quick-start");
    expect(page).not.toMatch(/<svg|\.csv/);
  });
});

describe("the charts", () => {
  test("have a bar for each day with units, and a table", async () => {
    const page = await show(busy());
    expect(page.match(/class="day"/g)).toHaveLength(1);
    expect(page).toMatch(/<rect class="day" x="3.83%" y="8" width="2.33%" height="164"/);
    expect(page).toContain("<title>2 November: 400 units</title>");
    expect(page).toMatch(/<time datetime="2026-11-02">2 November<\/time><\/th>\s*<td class="number">400<\/td>/);
  });

  test("have hourly steps up to now, and a line for the limit", async () => {
    const page = await show(busy());
    expect(page).toContain('viewBox="0 0 720 4"');
    expect(page).toMatch(/d="M0 4V4(H\d+)+V2H26V4Z"/);
    expect(page).toContain("limit 3");
  });

  test("don't draw a limit that is far above the peaks", async () => {
    const page = await show(busy({ parallel: 100 }));
    expect(page).not.toContain('class="limit"');
    expect(page).toContain("Today's limit is 100, which is too high to show in this chart.");
  });

  test("have no inline styles or scripts, which the content security policy would block", async () => {
    expect(await show(busy())).not.toMatch(/style=|<style|<script/);
  });
});
