/** How the disk behaves: it takes what is written, it refuses it, or it takes it and then says that it did not. */
export type Disk = "works" | "full" | "torn";

const MINUTE_MS = 60_000;
/** As long as services wait before they try again to write an end down. */
const RETRY_MS = 5000;

type Kept = {
  readonly id: string;
  readonly accountId: string;
  readonly openedAt: number;
  /** Minutes that stand in the ledger, and those that the server knows to stand there. */
  written: number;
  known: number;
  /** When it ended, from its server's point of view. */
  endedAt: number | undefined;
  row: { state: "open" } | { state: "closed"; at: number; reason: "requested" | "shutdown" | "lost" };
  reason: "requested" | "shutdown";
};

export type ModelRow = { browser_id: string; minute: number; account_id: string; period: string; started_at: string };

/**
 * What the books have to say after a history, in as few words as possible: of every browser the minutes that had started
 * when its server last could write. Nothing here knows of timers, transactions or tables.
 */
export class LedgerModel {
  readonly #browsers: Kept[] = [];
  #now: number;

  constructor(start: Date) {
    this.#now = start.getTime();
  }

  /** Those whose server has not ended them. */
  get alive(): readonly Readonly<Kept>[] {
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

  end(id: string, reason: Kept["reason"], disk: Disk): void {
    for (const one of this.#browsers) {
      if (one.id !== id) continue;
      one.endedAt = this.#now;
      one.reason = reason;
      if (disk !== "full") this.#settle(one, this.#now);
    }
  }

  /** Another process writes down all that has started. @returns Units that come in by it. */
  chargeBeside(): number {
    let units = 0;
    for (const one of this.#browsers) {
      if (one.endedAt !== undefined || one.row.state === "closed") continue;
      units += started(one, this.#now) - one.written;
      one.written = started(one, this.#now);
    }
    return units;
  }

  /** The server is gone without a word, and the next one has closed what it left. */
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

  /** All that is owed; a disk that lies is not believed past the first of it. */
  #charge(one: Kept, disk: Disk): void {
    const minutes = disk === "torn" ? one.known + 1 : started(one, this.#now);
    one.written = Math.max(one.written, minutes);
    if (disk === "works") one.known = minutes;
  }

  #settle(one: Kept, at: number): void {
    one.written = Math.max(one.written, started(one, at));
    one.row = { state: "closed", at, reason: one.reason };
  }
}

function started({ openedAt }: Kept, at: number): number {
  return Math.floor((at - openedAt) / MINUTE_MS) + 1;
}

function startOf({ openedAt }: Kept, minute: number): number {
  return openedAt + minute * MINUTE_MS;
}

function retries(endedAt: number, now: number): number {
  return Math.floor((now - endedAt) / RETRY_MS);
}
