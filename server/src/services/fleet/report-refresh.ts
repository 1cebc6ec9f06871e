import { sleep } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";

/** The pause after a look, in ms. Anyone can ask for addresses that nothing has. */
const PAUSE_MS = 250;

type ReportRefreshNeeds = {
  /** Reads the workers' reports. */
  readonly look: () => Promise<void>;
  readonly clock: Pick<Clock, "after">;
  /** Aborted when the server starts to shut down: there are no pauses any more. */
  readonly signal: AbortSignal;
};

/**
 * Reads the workers' reports on demand. One look at a time: those who ask during a look share the next one, because
 * this one may have begun before the worker that they look for had started.
 */
export class ReportRefresh {
  readonly #needs: ReportRefreshNeeds;
  #next: Promise<void> | undefined;
  #pause = Promise.resolve();

  constructor(needs: ReportRefreshNeeds) {
    this.#needs = needs;
  }

  /** Resolves after a look that began after this call. Rejects if it failed. */
  refresh(): Promise<void> {
    return (this.#next ??= this.#pause.then(() => this.#look()));
  }

  #look(): Promise<void> {
    const { look, clock, signal } = this.#needs;
    this.#next = undefined;
    const looked = look();
    this.#pause = looked
      .catch(() => {})
      .then(() => sleep(PAUSE_MS, clock, signal))
      .catch(() => {});
    return looked;
  }
}
