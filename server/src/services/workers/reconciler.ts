import { repeat } from "../../concurrency/repeat.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Attempt, FleetStore } from "../../ports/store/fleet-store.ts";
import type { Log } from "../../ports/log.ts";
import type { BrowserStore } from "../../ports/store/store.ts";
import type { LocalBrowsers } from "../browsers/local-browsers.ts";

/** Intervals in ms: checks for browsers to close and abandoned attempts; comparisons of all rows and browsers. */
const [LOOK_MS, COMPARE_MS] = [2000, 60_000];
/** Maximum number of consecutive checks during which no front-end asks for an attempt. */
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
 * Keeps a worker's browsers consistent with its rows. A database failover may have lost commits, and a killed front-end
 * may have left a row behind. Disposing stops the checks.
 */
export class Reconciler implements Disposable {
  readonly #needs: ReconcilerNeeds;
  #looks: Disposable | undefined;
  #comparedMs: number;
  /** Ids of rows without a browser and of browsers without a row, from the last comparison. */
  #suspects: ReadonlySet<string> = new Set();
  /**
   * How many checks in a row found each abandoned attempt. Unlike a clock, the count stops when the process is paused.
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

  /** After a database outage, makes the next check compare rows with browsers. */
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
      // After a store failure, more rows than usual may differ, for example because ends haven't been written yet.
      this.compareSoon();
      this.#suspects = new Set();
      log.warn("upkeep.failed", { error });
    }
  }

  /**
   * Gives up killed front-ends' attempts, because each attempt leaves a row that counts towards the account's limit. If
   * a front-end was only slow, the worker can no longer open the browser, and the front-end rejects the request.
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

  /** Acts only on differences found by two comparisons, because a browser may open or end during a comparison. */
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
