import { repeat } from "../../concurrency/repeat.ts";
import type { AccountStore } from "../../ports/store/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { LocalBrowsers } from "../browsers/local-browsers.ts";

const SWEEP_MS = 1000;

type SuspensionSweepNeeds = {
  readonly store: Pick<AccountStore, "findSuspended">;
  readonly localBrowsers: Pick<LocalBrowsers, "all" | "closeAllOf">;
  readonly clock: Clock;
  readonly log: Log;
};

/** Closes disabled and erased accounts' browsers. Disposing stops the sweep. */
export class SuspensionSweep implements Disposable {
  readonly #needs: SuspensionSweepNeeds;
  #sweeps: Disposable | undefined;

  constructor(needs: SuspensionSweepNeeds) {
    this.#needs = needs;
  }

  /** Sweeps every second, because commands disable accounts in another process. */
  start(): void {
    this.#sweeps = repeat(SWEEP_MS, this.#needs.clock, () => this.sweep());
  }

  /** Starts closing suspended accounts' browsers. Never rejects. */
  async sweep(): Promise<void> {
    const { store, localBrowsers, log } = this.#needs;
    const accountIds = [...new Set([...localBrowsers.all()].map(({ accountId }) => accountId))];
    if (accountIds.length === 0) return;
    try {
      // Not awaited, because a browser that closes slowly must not delay other accounts' browsers.
      for (const accountId of await store.findSuspended(accountIds))
        void localBrowsers.closeAllOf(accountId, "disabled");
    } catch (error) {
      log.error("accounts.check_failed", { error });
    }
  }

  [Symbol.dispose](): void {
    this.#sweeps?.[Symbol.dispose]();
  }
}
