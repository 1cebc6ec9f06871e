import type { Clock } from "../../ports/clock.ts";
import type { FleetStore, OwnRow } from "../../ports/fleet-store.ts";
import type { Log } from "../../ports/log.ts";
import type { BrowserStore } from "../../ports/store.ts";
import type { Residents } from "../browsers/residents.ts";

/** How often the worker looks for browsers that it was to close while it couldn't be reached, and for rows without browsers. */
const [CLOSES_MS, COMPARE_MS] = [2000, 60_000];

type Needs = {
  readonly residents: Pick<Residents, "all" | "findById">;
  readonly store: Pick<FleetStore, "findWantedClosed" | "listOwn" | "giveUp">;
  readonly browsers: Pick<BrowserStore, "close">;
  readonly clock: Clock;
  readonly log: Log;
  /** How long an attempt to open a browser may take, in ms. */
  readonly openTimeoutMs: number;
};

/**
 * Makes a worker's browsers and its rows agree: a database that failed over may have lost some commits, and a front-end that was
 * killed may have left a row behind. Disposing stops it.
 */
export class Upkeep implements Disposable {
  readonly #needs: Needs;
  #cancel: () => void = () => {};
  #isStopped = false;
  #comparedMs: number;
  /** Rows that had no browser at the last comparison, and browsers that had no row. */
  #suspects: ReadonlySet<string> = new Set();
  /** Since when each attempt to open a browser has been seen, in ms of this process's clock: the front-end's may differ. */
  #opening: ReadonlyMap<string, number> = new Map();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#comparedMs = needs.clock.elapsedMs();
  }

  start(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#needs.clock.after(CLOSES_MS, () => void this.#look().finally(() => this.start()));
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Compares at the next look: the database was away. */
  compareSoon(): void {
    this.#comparedMs = -Infinity;
  }

  async #look(): Promise<void> {
    const { store, residents, clock, log } = this.#needs;
    try {
      for (const id of await store.findWantedClosed()) void residents.findById(id)?.close("requested");
      if (clock.elapsedMs() - this.#comparedMs >= COMPARE_MS) await this.#compare();
    } catch (error) {
      // The store doesn't answer. Afterwards, more may differ than usual.
      this.compareSoon();
      log.warn("upkeep.failed", { error });
    }
  }

  /** Acts only on what two comparisons have found: a browser may open or end while one of them reads. */
  async #compare(): Promise<void> {
    const { store, residents, browsers, clock, log, openTimeoutMs } = this.#needs;
    const before = [...residents.all()];
    const rows = await store.listOwn();
    const ids = new Set(rows.map(({ id }) => id));
    const withoutRow = before.filter((browser) => browser.end === undefined && !ids.has(browser.id));
    const withoutBrowser = rows.filter(({ id, isOpen }) => isOpen && residents.findById(id) === undefined);
    const now = clock.elapsedMs();
    const opening = rows.filter(({ isOpen }) => !isOpen);
    const since = (row: OwnRow): number => this.#opening.get(toAttempt(row)) ?? now;
    this.#opening = new Map(opening.map((row) => [toAttempt(row), since(row)]));
    for (const row of opening.filter((one) => now - since(one) >= openTimeoutMs + COMPARE_MS)) {
      await store.giveUp(row.id, row.attempt);
    }
    for (const browser of withoutRow.filter(({ id }) => this.#suspects.has(id))) {
      log.error("browser.without_row", { id: browser.id });
      void browser.close("shutdown");
    }
    for (const { id } of withoutBrowser.filter((row) => this.#suspects.has(row.id))) {
      log.error("browser.without_process", { id });
      await browsers.close(id, { at: clock.now(), reason: "lost", minutes: 0 });
    }
    this.#suspects = new Set([...withoutRow, ...withoutBrowser].map(({ id }) => id));
    this.#comparedMs = clock.elapsedMs();
  }
}

function toAttempt({ id, attempt }: OwnRow): string {
  return `${id} ${attempt}`;
}
