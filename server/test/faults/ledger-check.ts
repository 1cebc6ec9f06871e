import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ALL_BROWSERS } from "../support/browsers/stored-browser.ts";
import { usedMinutes } from "../../src/domain/plan/units.ts";
import type { History } from "./load.ts";

type Row = {
  readonly id: string;
  readonly label: string | null;
  readonly state: string;
  readonly opened_at: string | null;
  readonly closed_at: string | null;
  readonly reason: string | null;
  readonly charged: number;
  /** In the ledger. */
  readonly units: number;
};

/**
 * Checks the database against what users observed: charges exist for exactly the browsers that users received and the
 * minutes that each was open, and the sums agree.
 * @returns The problems, one sentence each.
 */
export function findLedgerMistakes(
  dataDir: string,
  { opened, refused }: Pick<History, "opened" | "refused">,
): string[] {
  using database = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
  const rows = database
    .prepare(
      `select id, label, state, opened_at, closed_at, reason, charged, coalesce(sum(units), 0) as units
       from ${ALL_BROWSERS} left join ledger on browser_id = id group by id`,
    )
    .all() as Row[];
  const units = new Map(rows.map((row) => [row.label ?? row.id, row.units]));
  const [sums] = database
    .prepare(
      "select (select coalesce(sum(units), 0) from ledger) as ledger, (select coalesce(sum(units), 0) from daily_usage) as days",
    )
    .all() as { ledger: number; days: number }[];
  return [
    ...rows.flatMap((row) => findRowMistake(row) ?? []),
    ...[...opened].flatMap((label) => ((units.get(label) ?? 0) > 0 ? [] : [`${label} was opened, but not charged.`])),
    ...[...refused].flatMap((label) => ((units.get(label) ?? 0) > 0 ? [`${label} was refused, but charged.`] : [])),
    ...(sums?.ledger === sums?.days
      ? []
      : [`The ledger contains ${sums?.ledger} units, but the daily sums contain ${sums?.days}.`]),
  ];
}

function findRowMistake({ id, state, opened_at, closed_at, reason, charged, units }: Row): string | undefined {
  if (state !== "closed") return `The record of ${id} is ${state}, but all browsers have closed.`;
  if (units !== charged) return `${id} was charged ${charged} minutes, but has ${units} units in the ledger.`;
  if (opened_at === null || closed_at === null) return units === 0 ? undefined : `${id} never opened, but was charged.`;
  const used = usedMinutes(new Date(opened_at), new Date(closed_at));
  // Minutes that a killed server had not yet recorded are not charged. The browser's recorded end is in the last
  // charged minute.
  const due = reason === "lost" ? units : used;
  return units === due ? undefined : `${id} (${reason}) was open for ${used} minutes, but ${units} are charged.`;
}
