import { repeat } from "../../concurrency/repeat.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Attempt, FleetStore } from "../../ports/store/fleet-store.ts";
import type { Log } from "../../ports/log.ts";
import type { BrowserStore } from "../../ports/store/store.ts";
import type { LocalBrowsers } from "../browsers/local-browsers.ts";

/**
 * How often the worker looks for browsers that it is to close or open, and how often it compares all of its rows and
 * browsers.
 */
const [LOOK_MS, COMPARE_MS] = [2000, 60_000];
/** In how many looks in a row an attempt may be found that no front-end has asked for. */
const MAX_UNASKED = 5;

type ReconcilerNeeds = {
  readonly localBrowsers: Pick<LocalBrowsers, "all" | "findById">;
  readonly store: Pick<FleetStore, "findWantedClosed" | "listAttempts" | "listOwn" | "giveUp">;
  /** Whether an attempt to open a browser is in progress. */
  readonly isOpening: (browserId: string) => boolean;
  readonly browsers: Pick<BrowserStore, "close">;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Makes a worker's browsers and its rows agree: a database that failed over may have lost some commits, and a front-end
 * that was killed may have left a row behind. Disposing stops it.
 */
export class Reconciler implements Disposable {
  readonly #needs: ReconcilerNeeds;
  #looks: Disposable | undefined;
  #comparedMs: number;
  /** Rows that had no browser at the last comparison, and browsers that had no row. */
  #suspects: ReadonlySet<string> = new Set();
  /**
   * In how many looks each attempt was found that no front-end has asked for. Time in which this process stands still
   * doesn't count.
   */
  #unasked: ReadonlyMap<string, number> = new Map();

  constructor(needs: ReconcilerNeeds) {
    this.#needs = needs;
    this.#comparedMs = needs.clock.elapsedMs();
  }

  start(): void {
    this.#looks = repeat(LOOK_MS, this.#needs.clock, () => this.#look());
  }

  [Symbol.dispose](): void {
    this.#looks?.[Symbol.dispose]();
  }

  /** Compares at the next look: the database was away. */
  compareSoon(): void {
    this.#comparedMs = -Infinity;
  }

  async #look(): Promise<void> {
    const { store, localBrowsers, clock, log } = this.#needs;
    try {
      for (const id of await store.findWantedClosed()) void localBrowsers.findById(id)?.close("requested");
      await this.#giveUpUnasked();
      if (clock.elapsedMs() - this.#comparedMs >= COMPARE_MS) await this.#compare();
    } catch (error) {
      // The store doesn't answer. Afterwards, more may differ than usual, also because ends haven't been written yet.
      this.compareSoon();
      this.#suspects = new Set();
      log.warn("upkeep.failed", { error });
    }
  }

  /**
   * A front-end that is killed after it has admitted an Open leaves a row, which holds a place of the account. If it
   * was only slow, the worker can't open the browser any more, and the front-end refuses.
   */
  async #giveUpUnasked(): Promise<void> {
    const { store, localBrowsers, isOpening } = this.#needs;
    const attempts = await store.listAttempts();
    const unasked = attempts.filter(({ id }) => !isOpening(id) && localBrowsers.findById(id) === undefined);
    const looksOf = (attempt: Attempt): number => (this.#unasked.get(toText(attempt)) ?? 0) + 1;
    this.#unasked = new Map(unasked.map((attempt) => [toText(attempt), looksOf(attempt)]));
    for (const one of unasked) {
      if ((this.#unasked.get(toText(one)) ?? 0) > MAX_UNASKED) await store.giveUp(one.id, one.attempt);
    }
  }

  /** Acts only on what two comparisons have found: a browser may open or end while one of them reads. */
  async #compare(): Promise<void> {
    const { store, localBrowsers, browsers, clock, log } = this.#needs;
    const before = [...localBrowsers.all()];
    const rows = await store.listOwn();
    const ids = new Set(rows.map(({ id }) => id));
    const withoutRow = before.filter((browser) => browser.end === undefined && !ids.has(browser.id));
    const withoutBrowser = rows.filter(({ id, isOpen }) => isOpen && localBrowsers.findById(id) === undefined);
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

function toText({ id, attempt }: Attempt): string {
  return `${id} ${attempt}`;
}
