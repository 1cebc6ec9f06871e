import { repeat } from "../../concurrency/repeat.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { BrowserStore } from "../../ports/store/store.ts";

const SWEEP_MS = 10_000;

type LostBrowsersNeeds = {
  readonly store: Pick<BrowserStore, "closeLost">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
};

/** Closes the records of browsers that earlier processes of this server left open. Disposing stops the sweeps. */
export class LostBrowsers implements Disposable {
  readonly #needs: LostBrowsersNeeds;
  #sweeps: Disposable | undefined;

  constructor(needs: LostBrowsersNeeds) {
    this.#needs = needs;
  }

  async close(): Promise<void> {
    const browsers = await this.#needs.store.closeLost();
    if (browsers > 0) this.#needs.log.warn("browsers.lost", { browsers });
  }

  start(): void {
    const { clock, log } = this.#needs;
    this.#sweeps = repeat(SWEEP_MS, clock, () =>
      this.close().catch((error: unknown) => log.error("browsers.close_lost_failed", { error })),
    );
  }

  [Symbol.dispose](): void {
    this.#sweeps?.[Symbol.dispose]();
  }
}
