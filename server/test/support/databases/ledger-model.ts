/** The behaviour of the disk: it works, rejects writes, or writes and then reports an error. */
export type Disk = "works" | "full" | "torn";

const MINUTE_MS = 60_000;
/** How long a started minute's charge waits to be batched with other browsers' charges, in ms. */
const BATCH_MS = 5000;
/** Delay before services retry failed writes, in ms. */
const RETRY_MS = 5000;

type Reason = "requested" | "shutdown" | "lost";

type ModelBrowser = {
  readonly id: string;
  readonly accountId: string;
  readonly openedAt: number;
  /** Numbers of registered and charged minutes. */
  started: number;
  charged: number;
  isEnding: boolean;
  end: { readonly at: number; readonly reason: Reason } | undefined;
};

/** A write by the server. */
type Write = {
  readonly apply: () => void;
  /** Whether the server receives an error. */
  readonly fails: (disk: Disk) => boolean;
};

/**
 * Models the expected content of the database after a history. Advances from event to event, without timers,
 * transactions or tables.
 */
export class LedgerModel {
  readonly #browsers: ModelBrowser[] = [];
  #now: number;
  /** Browsers with minutes to charge. */
  readonly #due = new Set<ModelBrowser>();
  /** Writes that failed, or whose outcome the server doesn't know. */
  readonly #waiting = new Set<Write>();
  #isCharging = false;
  #chargeAt = Infinity;
  #retryAt = Infinity;

  readonly #charge: Write = {
    apply: () => {
      for (const one of this.#due) one.charged = Math.max(one.charged, one.started);
    },
    fails: (disk) => this.#due.size > 0 && disk !== "works",
  };

  constructor(start: Date) {
    this.#now = start.getTime();
  }

  /** Browsers that the server hasn't closed. */
  get alive(): readonly Readonly<ModelBrowser>[] {
    return this.#alive();
  }

  open(id: string, accountId: string): void {
    const openedAt = this.#now;
    this.#browsers.push({ id, accountId, openedAt, started: 1, charged: 1, isEnding: false, end: undefined });
  }

  /** Adds a reservation that could be neither committed nor cancelled. */
  keepReservation(): void {
    this.#wait({ apply: () => {}, fails: (disk) => disk === "full" });
  }

  pass(ms: number, disk: Disk): void {
    const end = this.#now + ms;
    for (;;) {
      const minuteAt = Math.min(...this.#alive().map((one) => startOf(one, one.started)));
      const at = Math.min(minuteAt, this.#chargeAt, this.#retryAt);
      if (at > end) break;
      this.#now = at;
      if (at === minuteAt) this.#startMinutes();
      else if (at === this.#chargeAt) {
        this.#chargeAt = Infinity;
        this.#write(this.#charge, disk);
      } else this.#retry(disk);
    }
    this.#now = end;
  }

  end(id: string, reason: Reason, disk: Disk): void {
    const one = this.#browsers.find((each) => each.id === id);
    if (one === undefined) throw new Error(`Browser ${id} doesn't exist.`);
    const at = this.#now;
    one.isEnding = true;
    this.#due.delete(one);
    const apply = (): void => {
      one.charged = Math.max(one.charged, one.started);
      one.end = { at, reason };
    };
    this.#write({ apply, fails: (state) => state !== "works" }, disk);
  }

  /**
   * Models another process that charges every started minute except the last `late`. @returns The number of units
   * added.
   */
  chargeElsewhere(late: number): number {
    let units = 0;
    for (const one of this.#alive()) {
      const charged = Math.max(one.charged, one.started - late);
      units += charged - one.charged;
      one.charged = charged;
    }
    return units;
  }

  /** Models a server that is killed, and closes the browsers at its next start. */
  lose(): void {
    for (const one of this.#browsers) one.end ??= { at: startOf(one, one.charged - 1), reason: "lost" };
    this.#due.clear();
    this.#waiting.clear();
    this.#isCharging = false;
    [this.#chargeAt, this.#retryAt] = [Infinity, Infinity];
  }

  /** Returns every charged minute of ended browsers, or of all browsers. */
  minutes(which: "ended" | "all"): { browser_id: string; account_id: string; day: string }[] {
    return this.#browsers
      .filter(({ end }) => which === "all" || end !== undefined)
      .flatMap((one) =>
        Array.from({ length: one.charged }, (_, minute) => {
          const day = new Date(startOf(one, minute)).toISOString().slice(0, 10);
          return { browser_id: one.id, account_id: one.accountId, day };
        }),
      );
  }

  get rows(): { id: string; state: string; closed_at: string | null; reason: string | null; charged: number }[] {
    return this.#browsers.map(({ id, end, charged }) =>
      end === undefined
        ? { id, state: "open", closed_at: null, reason: null, charged }
        : { id, state: "closed", closed_at: new Date(end.at).toISOString(), reason: end.reason, charged },
    );
  }

  #alive(): ModelBrowser[] {
    return this.#browsers.filter(({ isEnding, end }) => !isEnding && end === undefined);
  }

  #startMinutes(): void {
    for (const one of this.#alive()) {
      if (startOf(one, one.started) !== this.#now) continue;
      one.started += 1;
      this.#due.add(one);
      if (!this.#isCharging) this.#chargeAt = this.#now + BATCH_MS;
      this.#isCharging = true;
    }
  }

  #write(write: Write, disk: Disk): void {
    const hasFailed = write.fails(disk);
    if (disk !== "full") write.apply();
    if (hasFailed) return this.#wait(write);
    this.#waiting.delete(write);
    if (write !== this.#charge) return;
    this.#due.clear();
    this.#isCharging = false;
  }

  #wait(write: Write): void {
    this.#waiting.add(write);
    if (this.#retryAt === Infinity) this.#retryAt = this.#now + RETRY_MS;
  }

  #retry(disk: Disk): void {
    this.#retryAt = Infinity;
    for (const write of [...this.#waiting]) this.#write(write, disk);
  }
}

function startOf({ openedAt }: ModelBrowser, minute: number): number {
  return openedAt + minute * MINUTE_MS;
}
