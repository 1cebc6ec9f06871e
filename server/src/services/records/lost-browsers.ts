import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { BrowserStore } from "../../ports/store/store.ts";

const SWEEP_MS = 10_000;

type LostBrowsersNeeds = {
  readonly store: Pick<BrowserStore, "closeLost">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
};

/** Closes the records of browsers that earlier starts of this server have left open. Disposing stops it. */
export class LostBrowsers implements Disposable {
  readonly #needs: LostBrowsersNeeds;
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(needs: LostBrowsersNeeds) {
    this.#needs = needs;
  }

  async close(): Promise<void> {
    const browsers = await this.#needs.store.closeLost();
    if (browsers > 0) this.#needs.log.warn("browsers.lost", { browsers });
  }

  /** Does it again from time to time. */
  start(): void {
    this.#cancel = this.#needs.clock.after(SWEEP_MS, () => {
      void this.close()
        .catch((error: unknown) => this.#needs.log.error("browsers.close_lost_failed", { error }))
        .finally(() => !this.#isStopped && this.start());
    });
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#cancel();
  }
}
