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

export const LEDGER_FILE = "scripts/ledger/ledger.json";

const file = fileURLToPath(new URL("ledger.json", import.meta.url));

export function readLedger(): Ledger {
  return JSON.parse(readFileSync(file, "utf8")) as Ledger;
}

export function writeLedger(ledger: Ledger): void {
  writeFileSync(file, `${JSON.stringify(ledger, null, 2)}\n`);
}
