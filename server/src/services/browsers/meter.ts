import type { EndReason } from "../../domain/browser/end.ts";
import { minuteStart, toPeriod, usedMinutes } from "../../domain/account/units.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { BrowserStore, Charge } from "../../ports/store.ts";
import type { Outbox } from "./outbox.ts";

type Needs = {
  /** The browser's id. */
  readonly id: string;
  readonly accountId: string;
  readonly openedAt: Date;
  /** When the browser closes if nothing else happens; undefined: never. */
  readonly due: () => Date | undefined;
  readonly store: Pick<BrowserStore, "charge" | "close">;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** How soon a minute is charged whose start was the time to close, if the browser did not close. */
const RECHECK_MS = 1000;

/** Charges one unit for each minute that an open browser starts. The first minute is charged when it opens. */
export class Meter {
  readonly #needs: Needs;
  #cancelMinute: () => void = () => {};
  /** Minutes whose start the timer has registered, including the first one. */
  #minutes = 1;
  /** The minutes among these that are not in the ledger yet. */
  #unpaid: number[] = [];

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  start(): void {
    this.#awaitMinute();
  }

  /**
   * Stops, and records the browser's end together with all minutes that are not charged yet, including those that the
   * timer missed. If the store can't write now, retries in the background. Never rejects.
   */
  settle(at: Date, reason: EndReason): Promise<void> {
    this.#cancelMinute();
    const { id, accountId, openedAt, store, outbox, metrics } = this.#needs;
    const started = usedMinutes(openedAt, at);
    const late = Array.from({ length: Math.max(0, started - this.#minutes) }, (_, index) => this.#minutes + index);
    const write = async (): Promise<void> => {
      const charges = [...this.#unpaid, ...late].map((minute) => this.#toCharge(minute));
      metrics.unitsCharged(await store.close(id, { at, reason, charges }));
    };
    return outbox.write(write, { event: "browser.settle_failed", id, accountId });
  }

  #awaitMinute(): void {
    const { openedAt, clock } = this.#needs;
    const start = minuteStart(openedAt, this.#minutes);
    this.#cancelMinute = clock.after(start.getTime() - clock.now().getTime(), () => this.#startMinute(start));
  }

  #startMinute(start: Date): void {
    const { clock, due } = this.#needs;
    const dueAt = due();
    // It is closing at this moment, so it doesn't start the minute, unless a client keeps it open after all.
    if (dueAt !== undefined && dueAt <= start) {
      this.#cancelMinute = clock.after(RECHECK_MS, () => this.#startMinute(start));
      return;
    }
    this.#unpaid.push(this.#minutes);
    this.#minutes += 1;
    this.#awaitMinute();
    void this.#pay();
  }

  /** Charges the unpaid minutes. Those that can't be written now are charged with the next minute or at the end. */
  async #pay(): Promise<void> {
    const { id, store, log, metrics } = this.#needs;
    try {
      for (const minute of [...this.#unpaid]) {
        // The browser may have ended in the meantime, which also charges this minute.
        metrics.unitsCharged(await store.charge(this.#toCharge(minute)));
        this.#unpaid = this.#unpaid.filter((unpaid) => unpaid !== minute);
      }
    } catch (error) {
      log.error("browser.charge_failed", { id, owed: this.#unpaid.length, error });
    }
  }

  #toCharge(minute: number): Charge {
    const startedAt = minuteStart(this.#needs.openedAt, minute);
    return { browserId: this.#needs.id, minute, period: toPeriod(startedAt), startedAt };
  }
}
