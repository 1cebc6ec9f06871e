import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The project's ledger of what it costs. A commit that raises a number raises it in `ledger.json`, and says why.
 */
type Ledger = {
  /** Hand-written lines: of the code of each folder, and of all tests and docs. */
  readonly lines: Readonly<Record<string, number>>;
  /** Packages that users of our packages install, and settings of the server. */
  readonly counts: Readonly<Record<string, number>>;
  /** MB of the container images and of the Debian package. Their own tests compare them. */
  readonly megabytes: Readonly<Record<string, number>>;
  /** Processor time of the parts of `npm test`, in s. */
  readonly processorSeconds: Readonly<Record<string, number>>;
  /** How long each file of the slow tier takes, in s. The shards of `npm run test:all` are cut by it. */
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
 * Compares counted numbers with the ledger's.
 * @param slack How far a number may be below its entry.
 * @returns A sentence for each number that is above its entry, too far below it, or has none.
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
    if (now === undefined) return [`${what} doesn't exist any more. Remove it from ${LEDGER_FILE}.`];
    if (entry === undefined) return [`${what} is missing in ${LEDGER_FILE}. Add it, and say why in the commit.`];
    if (now > entry)
      return [
        `${what} is ${now}, and the ledger has ${entry}. Reduce it, or raise the entry in ${LEDGER_FILE} and say why in the commit.`,
      ];
    return now < entry - slack ? [`${what} is ${now}, and the ledger has ${entry}. Lower it in ${LEDGER_FILE}.`] : [];
  });
}

/** The entry of work that is the same on all machines. */
export const YARDSTICK = "yardstick";

/** How many times the entry all parts together may take. Work takes longer while other programs use the machine. */
const TOLERANCE = 1.5;

/**
 * Compares the processor time of the parts of `npm test` with the ledger's.
 * @param entries In s, on a machine on which the yardstick took `entries.yardstick`.
 * @param used In s, on this machine.
 * @returns A table for people, and whether the sum is within the ledger's. Single parts vary too much for a verdict.
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
  const verdict = isWithin
    ? []
    : [
        `FAILED  That is more than ${TOLERANCE} × the ledger's. Make the tests lighter, or raise ${LEDGER_FILE} and say why.`,
      ];
  const title = `Processor time; the ledger's is scaled to this machine (× ${speed.toFixed(2)}):`;
  return { table: [title, ...rows.map(toLine), toLine(total), ...verdict].join("\n"), isWithin };
}

/** Names that only files with variants of their tests use: server/test/support/variants.ts. */
const VARIANTS = /\b(?:variant|HAS_VARIANTS|ISOLATIONS)\b/;

/** Whether a file has tests of the slow tier: all of its tests, or variants. */
export function isSlowFile(file: string, read: (file: string) => string): boolean {
  return file.endsWith(".slow.test.ts") || (file.endsWith(".test.ts") && VARIANTS.test(read(file)));
}
