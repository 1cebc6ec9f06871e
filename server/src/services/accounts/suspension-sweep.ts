import type { AccountStore } from "../../ports/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Browsers } from "../browsers/browsers.ts";

/** How soon browsers end whose account another process has disabled. */
const LOOK_MS = 1000;

type Needs = {
  readonly store: Pick<AccountStore, "findSuspended">;
  readonly browsers: Pick<Browsers, "all" | "closeAllOf">;
  readonly clock: Clock;
  readonly log: Log;
};

/** Sees to it that accounts that are disabled or gone have no browsers. Disposing stops it. */
export class SuspensionSweep implements Disposable {
  readonly #needs: Needs;
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** From now on looks regularly: an operator's command is another process. */
  start(): void {
    this.#cancel = this.#needs.clock.after(LOOK_MS, () => {
      void this.sweep().finally(() => !this.#isStopped && this.start());
    });
  }

  /** Begins to end the browsers of suspended accounts. Never rejects. */
  async sweep(): Promise<void> {
    const { store, browsers, log } = this.#needs;
    const accountIds = [...new Set([...browsers.all()].map(({ accountId }) => accountId))];
    if (accountIds.length === 0) return;
    try {
      // Not waited for: one account's browser that is slow to end keeps no other's from being ended.
      for (const accountId of await store.findSuspended(accountIds)) void browsers.closeAllOf(accountId, "disabled");
    } catch (error) {
      log.error("accounts.look_failed", { error });
    }
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#cancel();
  }
}
