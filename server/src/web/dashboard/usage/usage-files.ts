import { toCsvLine } from "../../kit/csv.ts";
import type { EndedBrowser } from "../../../services/accounts/usage-reports.ts";
import type { Guards } from "../../kit/guards.ts";
import { readMonth } from "../../kit/month.ts";
import type { UsageNeeds } from "./usage.ts";
import type { MemberContext } from "../../kit/page-context.ts";

/** What the account consumed, as files for a spreadsheet or a program. */
export function mountUsageFiles({ member }: Guards, { reports }: UsageNeeds): void {
  member.get("/dashboard/usage.csv", async (context) => {
    const period = readMonth(context, reports.period);
    const days = await reports.days(context.account, period);
    const lines = [toCsvLine(["day", "units"]), ...days.map(({ day, units }) => toCsvLine([day, units]))];
    return toFile(context, `usage-${period}.csv`, lines.join(""));
  });

  member.get("/dashboard/browsers.csv", (context) => {
    const period = readMonth(context, reports.period);
    return toFile(
      context,
      `browsers-${period}.csv`,
      ReadableStream.from(writeBrowsers(reports.endedIn(context.account, period))),
    );
  });
}

/** Some at a time: as many as end in a busy month would keep everybody else waiting. */
async function* writeBrowsers(batches: AsyncIterable<readonly EndedBrowser[]>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(toCsvLine(["started", "ended", "label", "kind", "reason", "units"]));
  for await (const batch of batches) {
    const lines = batch.map(({ openedAt, closedAt, label, kind, reason, units }) =>
      toCsvLine([openedAt.toISOString(), closedAt.toISOString(), label ?? "", kind, reason, units]),
    );
    if (lines.length > 0) yield encoder.encode(lines.join(""));
    // The next batch is asked for at once, and the database answers without a pause: whoever waits comes first.
    await new Promise(setImmediate);
  }
}

/** @param name Of ours: nothing in it is as somebody wrote it. */
function toFile({ c }: MemberContext, name: string, content: string | ReadableStream<Uint8Array>): Response {
  return c.body(content, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
  });
}
