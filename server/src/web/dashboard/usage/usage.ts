import { readPeriod } from "../../../domain/plan/period.ts";
import { toPeriod } from "../../../domain/plan/units.ts";
import type { EndedBrowser } from "../../../ports/store/usage-store.ts";
import { toCsvLine } from "./csv.ts";
import type { Guards } from "../../kit/guards.ts";
import type { UserContext } from "../../kit/page-context.ts";
import { PageError } from "../../kit/errors.ts";
import { renderUsage } from "./usage-view.ts";
import type { PageServices } from "../../kit/page-services.ts";

/** Mounts the account's monthly usage, as a page and as CSV files. */
export function mountUsage({ user }: Guards, { reports }: PageServices): void {
  user.get("/dashboard/usage", async (context) => {
    const { account, frame } = context;
    const report = await reports.month(account, readMonth(context, reports.period));
    return context.show({
      title: "Usage",
      current: "/dashboard/usage",
      styles: ["dashboard/usage/usage.css"],
      main: renderUsage(frame, report, toPeriod(account.createdAt)),
    });
  });

  user.get("/dashboard/usage.csv", async (context) => {
    const period = readMonth(context, reports.period);
    const days = await reports.days(context.account, period);
    const lines = [toCsvLine(["day", "units"]), ...days.map(({ day, units }) => toCsvLine([day, units]))];
    return toFile(context, `usage-${period}.csv`, lines.join(""));
  });

  user.get("/dashboard/browsers.csv", (context) => {
    const period = readMonth(context, reports.period);
    return toFile(
      context,
      `browsers-${period}.csv`,
      ReadableStream.from(writeBrowsers(reports.endedIn(context.account, period))),
    );
  });
}

/** Writes in batches: reading a busy month in one query would block other requests. */
async function* writeBrowsers(batches: AsyncIterable<readonly EndedBrowser[]>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(toCsvLine(["started", "ended", "label", "kind", "reason", "units", "id", "tags"]));
  for await (const batch of batches) {
    const lines = batch.map(({ openedAt, closedAt, label = "", kind, reason, units, id, tags }) =>
      toCsvLine([openedAt.toISOString(), closedAt.toISOString(), label, kind, reason, units, id, tags.join(", ")]),
    );
    if (lines.length > 0) yield encoder.encode(lines.join(""));
    // SQLite runs queries synchronously. Without this pause, other requests would have to wait for all batches.
    await new Promise(setImmediate);
  }
}

/** @param name Must not contain user input. */
function toFile({ c }: UserContext, name: string, content: string | ReadableStream<Uint8Array>): Response {
  return c.body(content, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Cache-Control": "no-store",
  });
}

/** Returns the URL's month, or the current month. @throws {PageError} 400 if the month is invalid or in the future. */
function readMonth({ c }: UserContext, current: string): string {
  const text = c.req.query("month");
  if (text === undefined) return current;
  const period = readPeriod(text);
  if (period === undefined) {
    const message = `Specify the month as YYYY-MM, for example month=${current}.`;
    throw new PageError(400, "Invalid month", message);
  }
  if (period > current) throw new PageError(400, "No data yet", `${period} has not started yet.`);
  return period;
}
