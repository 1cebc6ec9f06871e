import { sleep } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";

/** The pause after a read, in ms. It limits the load, because anyone can request unknown addresses. */
const PAUSE_MS = 250;

type ReportRefreshNeeds = {
  /** Reads the workers' reports. */
  readonly look: () => Promise<void>;
  readonly clock: Pick<Clock, "after">;
  /** Aborted when the server starts to shut down; this ends any pause. */
  readonly signal: AbortSignal;
};

/**
 * Reads the workers' reports on demand, one read at a time. Callers that arrive during a read share the next read,
 * because the current read may have begun before their worker started.
 */
export class ReportRefresh {
  readonly #needs: ReportRefreshNeeds;
  #next: Promise<void> | undefined;
  #pause = Promise.resolve();

  constructor(needs: ReportRefreshNeeds) {
    this.#needs = needs;
  }

  /** Resolves after a read that starts after this call; rejects if the read fails. */
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
