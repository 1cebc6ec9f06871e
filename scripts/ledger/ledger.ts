import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The project's limits. A commit that exceeds a limit must raise it in `ledger.json` and say why. */
type Ledger = {
  /** Numbers of hand-written lines in each folder's code, in all tests and in all docs. */
  readonly lines: Readonly<Record<string, number>>;
  /** Packages that our packages' users install, and the server's settings. */
  readonly counts: Readonly<Record<string, number>>;
  /** The sizes of the container images and the Debian package, in MB. The packaging tests check these limits. */
  readonly megabytes: Readonly<Record<string, number>>;
  /** The processor time of each part of `npm test`, in s. */
  readonly processorSeconds: Readonly<Record<string, number>>;
  /** The duration of each file in the slow tier, in s. Determines how `npm run test:all` is divided into shards. */
  readonly slowSeconds: Readonly<Record<string, number>>;
};

const LEDGER_FILE = "scripts/ledger/ledger.json";

const OWN_FILE = fileURLToPath(new URL("ledger.json", import.meta.url));

export function readLedger(): Ledger {
  return JSON.parse(readFileSync(OWN_FILE, "utf8")) as Ledger;
}

export function writeLedger(ledger: Ledger): void {
  writeFileSync(OWN_FILE, `${JSON.stringify(ledger, null, 2)}\n`);
}

/**
 * Compares counts with the ledger's entries.
 * @param slack How far a number may be below its entry.
 * @returns A sentence for each number that is above its entry, is too far below it, or has no entry.
 */
export function compare(
  section: string,
  entries: Readonly<Record<string, number>>,
  counted: Readonly<Record<string, number>>,
  slack: number,
): string[] {
  const names = new Set([...Object.keys(counted), ...Object.keys(entries)]);
  return [...names].flatMap((name) => {
    const [entry, now] = [entries[name], counted[name]];
    const what = `${section}.${name}`;
    if (now === undefined) return [`${what} no longer exists. Remove it from ${LEDGER_FILE}.`];
    if (entry === undefined) return [`${what} is missing in ${LEDGER_FILE}. Add it, and say why in the commit.`];
    const differs = `${what} is ${now}, but the ledger has ${entry}.`;
    if (now > entry) return [`${differs} Reduce it, or raise the entry in ${LEDGER_FILE} and say why in the commit.`];
    return now < entry - slack ? [`${differs} Lower the entry in ${LEDGER_FILE}.`] : [];
  });
}

/** The ledger entry for a workload that is the same on all machines. */
export const YARDSTICK = "yardstick";

/** Maximum ratio of the total time to the ledger's total. Other programs on the machine slow the tests down. */
const TOLERANCE = 1.5;

/**
 * Compares the processor time of each part of `npm test` with its ledger entry.
 * @param entries Times in s on a machine on which the yardstick took `entries.yardstick`.
 * @param used Times in s on this machine.
 * @returns A table, and whether the total is within the limit. Parts have no limits, because their times vary too much.
 */
export function compareTimes(
  entries: Readonly<Record<string, number>>,
  used: Readonly<Record<string, number>>,
): { readonly table: string; readonly isWithin: boolean } {
  const speed = (used[YARDSTICK] ?? 1) / (entries[YARDSTICK] ?? 1);
  const names = Object.keys(used).filter((name) => name !== YARDSTICK);
  const rows = names.map((name) => ({ name, now: used[name] ?? 0, entry: (entries[name] ?? 0) * speed }));
  const sum = (pick: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  const total = { name: "all", now: sum(({ now }) => now), entry: sum(({ entry }) => entry) };
  const isWithin = total.now <= total.entry * TOLERANCE;
  const toLine = ({ name, now, entry }: (typeof rows)[number]): string =>
    `${name.padEnd(12)} ${now.toFixed(0).padStart(6)} s, ledger ${entry.toFixed(0).padStart(6)} s`;
  const remedy = `Make the tests faster, or raise the limit in ${LEDGER_FILE} and say why.`;
  const verdict = isWithin ? [] : [`FAILED  The total is more than ${TOLERANCE} × the ledger's total. ${remedy}`];
  const title = `Processor time, with ledger times scaled to this machine (× ${speed.toFixed(2)}):`;
  return { table: [title, ...rows.map(toLine), toLine(total), ...verdict].join("\n"), isWithin };
}

/** Names that are used only in files with test variants. */
const VARIANTS = /\b(?:variant|HAS_VARIANTS|ISOLATIONS|startSqlEngines)\b/;

/** Whether the slow tier runs all tests in a file, or variants of the tests. */
export function isSlowFile(file: string, read: (file: string) => string): boolean {
  return file.endsWith(".slow.test.ts") || (file.endsWith(".test.ts") && VARIANTS.test(read(file)));
}
