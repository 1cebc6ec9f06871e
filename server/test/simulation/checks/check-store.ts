import { usedMinutes } from "../../../src/domain/plan/units.ts";
import { type Query, findContradictions } from "../../support/databases/exact.ts";
import { disabledEnds } from "./check-history.ts";
import { type History, type Session, killedAfter, mayGoInactive, workerOf } from "../history.ts";
import { CLOCK_S } from "../strikes.ts";
import { type Violation, toViolations } from "./violations.ts";

/**
 * Maximum time that a browser may stay open if no client received it, in ms: the server closes it after 30 s, and
 * requests in progress may delay that.
 */
const UNCLAIMED_MS = 60_000;
const MINUTE_MS = 60_000;

type Ended = {
  readonly id: string;
  readonly account_id: string;
  readonly label: string | null;
  readonly key_hash: string;
  readonly opened_at: Date;
  readonly closed_at: Date;
  readonly reason: string;
  readonly units: number;
};

/**
 * Checks that the database is internally consistent and agrees with clients' observations. All browsers must have
 * ended.
 */
export async function checkStore(query: Query, history: History): Promise<Violation[]> {
  const contradictions = Object.entries(await findContradictions(query));
  const left = await query<object>("select id, account_id, state, worker, label from browsers");
  const ended =
    await query<Ended>(`select id, account_id, label, key_hash, opened_at::timestamptz, closed_at::timestamptz,
    reason, units from ended_browsers`);
  const charges = await query<object>(MONTHS);
  const keyed = new Set(history.sessions.filter(({ isKeyed }) => isKeyed).map(({ label }) => label));
  return [
    ...contradictions.flatMap(([rule, rows]) => toViolations("2", `It isn't true that ${rule}`, rows)),
    ...toViolations("2", "A month's units differ from the charged minutes that started in that month", charges),
    ...toViolations(
      "3",
      "A browser's charged minutes differ from the minutes that the browser was open",
      findMischarged(ended),
    ),
    ...toViolations("3", "A browser was charged for minutes after its end", findOutlived(ended, history)),
    ...toViolations(
      "4",
      "Two browsers had the same key",
      findDouble(ended, ({ key_hash }) => key_hash),
    ),
    ...toViolations("5", "The database contains browsers although all have been closed", left),
    ...toViolations("5", "A browser that no client received stayed open", findUnclaimed(ended, history)),
    ...toViolations(
      "6",
      "A client's browser isn't in the database, or ended for an unexpected reason",
      findVanished(ended, history),
    ),
    ...toViolations("7", "A disabled account's browser stayed open", findLate(ended, history)),
    ...toViolations(
      "10",
      "An Idempotency-Key opened two browsers",
      findDouble(ended, ({ label }) => (label !== null && keyed.has(label) ? label : undefined)),
    ),
  ];
}

/** Finds accounts and months whose daily sums differ from the charged minutes, counted minute by minute. */
const MONTHS = `
  with minutes as (select account_id, to_char((opened_at at time zone 'UTC') + minute * interval '1 minute', 'YYYY-MM') as month
    from ended_browsers, generate_series(0, units - 1) as minute),
  charged as (select account_id, month, count(*)::int as units from minutes group by 1, 2),
  days as (select account_id, left(day, 7) as month, sum(units)::int as units from daily_usage group by 1, 2)
  select account_id, month, charged.units as charged, days.units as days
  from charged full join days using (account_id, month) where charged.units is distinct from days.units`;

function findMischarged(ended: readonly Ended[]): object[] {
  return ended.flatMap(({ id, opened_at, closed_at, reason, units }) => {
    const used = usedMinutes(opened_at, closed_at);
    // A lost browser's end is the start of its last charged minute.
    const due = reason === "lost" ? usedMinutes(opened_at, new Date(closed_at.getTime() + 1)) : used;
    return units === due ? [] : [{ id, reason, opened_at, closed_at, units, due }];
  });
}

/** Finds killed workers' browsers that were charged for minutes after the kill. */
function findOutlived(ended: readonly Ended[], history: History): object[] {
  const sessions = byId(history);
  return ended.flatMap((row) => {
    const { id, opened_at, reason, units } = row;
    const session = sessions.get(id);
    const openedMs = opened_at.getTime() - movedMs(row, session);
    const killedMs = reason === "lost" && session && killedAfter(history, workerOf(session), openedMs);
    if (typeof killedMs !== "number") return [];
    const most = Math.ceil((killedMs - openedMs) / MINUTE_MS);
    return units > Math.max(1, most) ? [{ id, opened_at, killedMs, units, most }] : [];
  });
}

function findUnclaimed(ended: readonly Ended[], history: History): object[] {
  const sessions = byId(history);
  const stoodStillMs = history.faults.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0);
  return ended.filter(({ id, label, opened_at, closed_at }) => {
    // Browsers without a label come from bursts of simultaneous Opens, and each burst closes all of its browsers.
    if (sessions.has(id) || label === null) return false;
    return closed_at.getTime() - opened_at.getTime() > UNCLAIMED_MS + stoodStillMs;
  });
}

function findVanished(ended: readonly Ended[], history: History): object[] {
  const rows = new Map(ended.map((row) => [row.id, row]));
  return [...byId(history)].flatMap(([id, session]): object[] => {
    if (session.connectedMs === undefined) return [];
    const row = rows.get(id);
    const isKilled = killedAfter(history, workerOf(session), session.answeredMs ?? 0) !== undefined;
    const isDisabled = history.acts.some(({ account, is }) => account === session.account && is === "disabled");
    if (row === undefined) return [{ id, label: session.label, row: "none" }];
    const isExpected =
      (row.reason === "requested" && session.closeRequestedMs !== undefined) ||
      (row.reason === "crashed" && session.crashedMs !== undefined) ||
      (row.reason === "lost" && isKilled) ||
      (row.reason === "inactive" && mayGoInactive(session)) ||
      (row.reason === "disabled" && isDisabled);
    return isExpected ? [] : [{ worker: workerOf(session), ...row }];
  });
}

function findLate(ended: readonly Ended[], history: History): object[] {
  const sessions = byId(history);
  return disabledEnds(history).flatMap(({ account, fromMs, byMs }) =>
    ended.filter((row) => {
      const moved = movedMs(row, sessions.get(row.id));
      const [openedMs, closedMs] = [row.opened_at.getTime() - moved, row.closed_at.getTime() - moved];
      return row.account_id === account && openedMs < fromMs && closedMs > byMs;
    }),
  );
}

/** Returns a worker's clock offset at the time it opened a browser. The browser's timestamps include the offset. */
function movedMs({ opened_at }: Ended, session: Session | undefined): number {
  const aheadMs = opened_at.getTime() - (session?.answeredMs ?? opened_at.getTime());
  return Math.round(aheadMs / (CLOCK_S * 1000)) * CLOCK_S * 1000;
}

function findDouble(ended: readonly Ended[], keyOf: (row: Ended) => string | undefined): object[] {
  const all = [...Map.groupBy(ended, keyOf)];
  return all.flatMap(([key, rows]) =>
    key !== undefined && rows.length > 1 ? [{ key, rows: rows.map(({ id, reason }) => ({ id, reason })) }] : [],
  );
}

/** Returns the sessions that received a browser, keyed by the browser's id. */
function byId({ sessions }: History): Map<string, Session> {
  return new Map(sessions.flatMap((session) => session.received.map(({ id }) => [id, session] as const)));
}
