import { minuteStart, usedMinutes } from "../../domain/plan/units.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { BrowserEnd, BrowserStore } from "../../ports/store/store.ts";
import type { Charges } from "./charges.ts";
import type { Outbox } from "../store/outbox.ts";

type MeterNeeds = {
  readonly id: string;
  readonly accountId: string;
  readonly openedAt: Date;
  /** Returns when the browser will close if nothing else happens; undefined if it has no deadline. */
  readonly due: () => Date | undefined;
  readonly store: Pick<BrowserStore, "close" | "cancel">;
  readonly charges: Pick<Charges, "add" | "remove">;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** The delay before rechecking a minute that started when the browser was due to close, in ms. */
const RECHECK_MS = 1000;

/** Charges an open browser's minutes as they start. The first minute is charged when the browser opens. */
export class Meter {
  readonly #needs: MeterNeeds;
  #cancelMinute: () => void = () => {};
  /** The number of registered minutes, including the first. */
  #minutes = 1;

  constructor(needs: MeterNeeds) {
    this.#needs = needs;
  }

  get minutes(): number {
    return this.#minutes;
  }

  start(): void {
    this.#awaitMinute();
  }

  /**
   * Stops the meter, and records the browser's end with all uncharged minutes, including any that the timer missed. If
   * the store can't write, retries in the background. Never rejects.
   */
  settle(end: Omit<BrowserEnd, "minutes">): Promise<void> {
    this.#cancelMinute();
    const { id, accountId, openedAt, store, charges, outbox, metrics } = this.#needs;
    charges.remove(id);
    this.#minutes = Math.max(this.#minutes, usedMinutes(openedAt, end.at));
    const minutes = this.#minutes;
    const write = async (): Promise<void> => metrics.unitsCharged(await store.close(id, { ...end, minutes }));
    return outbox.write(write, { event: "browser.settle_failed", id, accountId });
  }

  /** Stops the meter, and deletes the browser's record with its units. Never rejects. */
  undo(): Promise<void> {
    this.#cancelMinute();
    const { id, accountId, store, charges, outbox } = this.#needs;
    charges.remove(id);
    return outbox.write(() => store.cancel(id), { event: "browser.undo_failed", id, accountId });
  }

  #awaitMinute(): void {
    const { openedAt, clock } = this.#needs;
    const start = minuteStart(openedAt, this.#minutes);
    this.#cancelMinute = clock.after(start.getTime() - clock.now().getTime(), () => this.#startMinute(start));
  }

  #startMinute(start: Date): void {
    const { id, clock, due, charges } = this.#needs;
    const dueAt = due();
    // The browser is due to close, so the minute isn't charged unless a client keeps the browser open.
    if (dueAt !== undefined && dueAt <= start) {
      this.#cancelMinute = clock.after(RECHECK_MS, () => this.#startMinute(start));
      return;
    }
    this.#minutes += 1;
    this.#awaitMinute();
    charges.add(id, this.#minutes);
  }
}
