import type { Clock } from "../../ports/clock.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { BrowserStore } from "../../ports/store/store.ts";
import type { Outbox } from "../store/outbox.ts";

/**
 * The delay before a started minute is charged together with other browsers' minutes, in ms. With a delay of one
 * second, charging for ten workers with 1,000 browsers each would double PostgreSQL's processor time.
 */
export const CHARGE_EVERY_MS = 5000;

type ChargesNeeds = {
  readonly store: Pick<BrowserStore, "charge">;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** Charges the started minutes of this process's browsers, in one transaction every five seconds. */
export class Charges {
  readonly #needs: ChargesNeeds;
  /** For each browser with uncharged minutes, by id: the number of minutes started. */
  readonly #due = new Map<string, number>();
  #isWriting = false;

  constructor(needs: ChargesNeeds) {
    this.#needs = needs;
  }

  /** @param minutes How many of the browser's minutes have started. */
  add(browserId: string, minutes: number): void {
    this.#due.set(browserId, minutes);
    if (this.#isWriting) return;
    this.#isWriting = true;
    const { clock, outbox } = this.#needs;
    clock.after(CHARGE_EVERY_MS, () => void outbox.write(() => this.#write(), { event: "browsers.charge_failed" }));
  }

  /** Removes a browser whose minutes will be charged when its end is recorded. */
  remove(browserId: string): void {
    this.#due.delete(browserId);
  }

  async #write(): Promise<void> {
    const { store, metrics } = this.#needs;
    while (this.#due.size > 0) {
      const batch = [...this.#due].map(([browserId, minutes]) => ({ browserId, minutes }));
      metrics.unitsCharged(await store.charge(batch));
      for (const { browserId, minutes } of batch) if (this.#due.get(browserId) === minutes) this.#due.delete(browserId);
    }
    this.#isWriting = false;
  }
}
