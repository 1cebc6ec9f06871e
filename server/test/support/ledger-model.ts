/** How the disk behaves: it works, refuses writes, or writes and then reports an error. */
export type Disk = "works" | "full" | "torn";

const MINUTE_MS = 60_000;
/** The delay after which services retry to write an end. */
const RETRY_MS = 5000;

type ModelBrowser = {
  readonly id: string;
  readonly accountId: string;
  readonly openedAt: number;
  /** Minutes in the ledger, and those that the server knows to be there. */
  written: number;
  known: number;
  /** When its server ended it. */
  endedAt: number | undefined;
  row: { state: "open" } | { state: "closed"; at: number; reason: "requested" | "shutdown" | "lost" };
  reason: "requested" | "shutdown";
};

export type ModelRow = { browser_id: string; minute: number; account_id: string; period: string; started_at: string };

/**
 * The expected content of the ledger after a history: for each browser, the minutes that had started when its server
 * could last write. The model has no timers, transactions or tables.
 */
export class LedgerModel {
  readonly #browsers: ModelBrowser[] = [];
  #now: number;

  constructor(start: Date) {
    this.#now = start.getTime();
  }

  /** Browsers that their server has not ended. */
  get alive(): readonly Readonly<ModelBrowser>[] {
    return this.#browsers.filter(({ endedAt, row }) => endedAt === undefined && row.state === "open");
  }

  open(id: string, accountId: string): void {
    const row = { state: "open" } as const;
    const minutes = { written: 1, known: 1 };
    this.#browsers.push({
      id,
      accountId,
      openedAt: this.#now,
      ...minutes,
      endedAt: undefined,
      row,
      reason: "requested",
    });
  }

  pass(ms: number, disk: Disk): void {
    const before = this.#now;
    this.#now += ms;
    if (disk === "full") return;
    for (const one of this.#browsers) {
      if (one.row.state === "closed") continue;
      if (one.endedAt === undefined) {
        if (started(one, this.#now) > started(one, before)) this.#charge(one, disk);
      } else if (retries(one.endedAt, this.#now) > retries(one.endedAt, before)) this.#settle(one, one.endedAt);
    }
  }

  end(id: string, reason: ModelBrowser["reason"], disk: Disk): void {
    for (const one of this.#browsers) {
      if (one.id !== id) continue;
      one.endedAt = this.#now;
      one.reason = reason;
      if (disk !== "full") this.#settle(one, this.#now);
    }
  }

  /** Another process charges all started minutes. @returns The units it adds. */
  chargeElsewhere(): number {
    let units = 0;
    for (const one of this.#browsers) {
      if (one.endedAt !== undefined || one.row.state === "closed") continue;
      units += started(one, this.#now) - one.written;
      one.written = started(one, this.#now);
    }
    return units;
  }

  /** The server was killed, and the next one has closed its browsers. */
  lose(): void {
    for (const one of this.#browsers) {
      if (one.row.state === "open") one.row = { state: "closed", at: startOf(one, one.written - 1), reason: "lost" };
    }
  }

  get ledger(): ModelRow[] {
    return this.#browsers.flatMap((one) =>
      Array.from({ length: one.written }, (_, minute) => {
        const started_at = new Date(startOf(one, minute));
        const period = `${started_at.getUTCFullYear()}-${String(started_at.getUTCMonth() + 1).padStart(2, "0")}`;
        return { browser_id: one.id, minute, account_id: one.accountId, period, started_at: started_at.toISOString() };
      }),
    );
  }

  get rows(): { id: string; state: string; closed_at: string | null; reason: string | null }[] {
    return this.#browsers.map(({ id, row }) =>
      row.state === "open"
        ? { id, state: "open", closed_at: null, reason: null }
        : { id, state: "closed", closed_at: new Date(row.at).toISOString(), reason: row.reason },
    );
  }

  /** Charges all started minutes. With a torn disk, the server stops after the first one because it saw an error. */
  #charge(one: ModelBrowser, disk: Disk): void {
    const minutes = disk === "torn" ? one.known + 1 : started(one, this.#now);
    one.written = Math.max(one.written, minutes);
    if (disk === "works") one.known = minutes;
  }

  #settle(one: ModelBrowser, at: number): void {
    one.written = Math.max(one.written, started(one, at));
    one.row = { state: "closed", at, reason: one.reason };
  }
}

function started({ openedAt }: ModelBrowser, at: number): number {
  return Math.floor((at - openedAt) / MINUTE_MS) + 1;
}

function startOf({ openedAt }: ModelBrowser, minute: number): number {
  return openedAt + minute * MINUTE_MS;
}

function retries(endedAt: number, now: number): number {
  return Math.floor((now - endedAt) / RETRY_MS);
}
