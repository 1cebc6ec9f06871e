import { minuteStart, usedMinutes } from "../../domain/plan/units.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { BrowserEnd, BrowserStore } from "../../ports/store/store.ts";
import type { Charges } from "./charges.ts";
import type { Outbox } from "../store/outbox.ts";

type MeterNeeds = {
  /** The browser's id. */
  readonly id: string;
  readonly accountId: string;
  readonly openedAt: Date;
  /** When the browser closes if nothing else happens; undefined: never. */
  readonly due: () => Date | undefined;
  readonly store: Pick<BrowserStore, "close" | "cancel">;
  readonly charges: Pick<Charges, "add" | "remove">;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** How soon a minute is charged whose start was the time to close, if the browser did not close. */
const RECHECK_MS = 1000;

/** Has each minute charged that an open browser starts. The first minute is charged when it opens. */
export class Meter {
  readonly #needs: MeterNeeds;
  #cancelMinute: () => void = () => {};
  /** Minutes whose start was registered, including the first one. */
  #minutes = 1;

  constructor(needs: MeterNeeds) {
    this.#needs = needs;
  }

  /** The minutes that have started. */
  get minutes(): number {
    return this.#minutes;
  }

  start(): void {
    this.#awaitMinute();
  }

  /**
   * Stops, and records the browser's end together with all minutes that are not charged yet, including those that the
   * timer missed. If the store can't write now, retries in the background. Never rejects.
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

  /** Stops, and deletes the record of the browser with its units. Never rejects. */
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
    // It is closing at this moment, so it doesn't start the minute, unless a client keeps it open after all.
    if (dueAt !== undefined && dueAt <= start) {
      this.#cancelMinute = clock.after(RECHECK_MS, () => this.#startMinute(start));
      return;
    }
    this.#minutes += 1;
    this.#awaitMinute();
    charges.add(id, this.#minutes);
  }
}
