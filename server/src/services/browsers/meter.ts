import type { EndReason } from "../../domain/browser/end.ts";
import { minuteStart, startedMinutes, toPeriod } from "../../domain/account/units.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { BrowserStore, Charge } from "../../ports/store.ts";
import { writeUntilDone } from "./write-until-done.ts";

type Needs = {
  /** The browser's. */
  readonly id: string;
  readonly openedAt: Date;
  readonly store: Pick<BrowserStore, "charge" | "close">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** What an open browser costs: a unit with every minute it starts, from the second on. The first came with the opening. */
export class Meter {
  readonly #needs: Needs;
  #cancelMinute: () => void = () => {};
  /** Minutes started so far as the timer saw them; the first was charged when the browser opened. */
  #minutes = 1;
  /** Of these, the ones that are not in the ledger yet. */
  #unpaid: number[] = [];

  /** Runs from now on. */
  constructor(needs: Needs) {
    this.#needs = needs;
    this.#awaitMinute();
  }

  /**
   * Stops, and closes the books of a browser that ended then: with what is owed, and with minutes that no timer has seen.
   * If they can't be written now, this is tried again behind the caller's back. Never rejects.
   */
  settle(at: Date, reason: EndReason): Promise<void> {
    this.#cancelMinute();
    const { id, openedAt, store, metrics } = this.#needs;
    const started = startedMinutes(openedAt, at);
    const late = Array.from({ length: Math.max(0, started - this.#minutes) }, (_, index) => this.#minutes + index);
    const entry = async (): Promise<void> => {
      const charges = [...this.#unpaid, ...late].map((minute) => this.#toCharge(minute));
      metrics.unitsCharged(await store.close(id, { at, reason, charges }));
    };
    return writeUntilDone(entry, { event: "browser.settle_failed", id }, this.#needs);
  }

  #awaitMinute(): void {
    const { openedAt, clock } = this.#needs;
    const start = minuteStart(openedAt, this.#minutes);
    this.#cancelMinute = clock.after(start.getTime() - clock.now().getTime(), () => {
      this.#unpaid.push(this.#minutes);
      this.#minutes += 1;
      this.#awaitMinute();
      void this.#pay();
    });
  }

  /** Charges what is owed; what can't be charged now stays owed until the next minute or the end. */
  async #pay(): Promise<void> {
    const { id, store, log, metrics } = this.#needs;
    try {
      for (const minute of [...this.#unpaid]) {
        // The end may have come in between, and charged it as well.
        metrics.unitsCharged(await store.charge(this.#toCharge(minute)));
        this.#unpaid = this.#unpaid.filter((owed) => owed !== minute);
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
