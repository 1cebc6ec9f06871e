import { readKey, readWorkerId } from "../../domain/browser/address.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { WorkerClient } from "../../ports/worker-calls.ts";
import type { Placement } from "./placement.ts";

/** How often an acknowledgement is sent, and the time between, in ms: the browser waits for 30 s. */
const [TRIES, PAUSE_MS] = [5, 4000];
/** After this time, the answer has been written, or its caller is known to have left. */
const ANSWERED_MS = 100;

type Needs = {
  readonly placement: Pick<Placement, "find">;
  readonly workers: Pick<WorkerClient, "at">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
};

/** Tells workers that the callers of Open have got their browsers. */
export class Acknowledgements {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /**
   * Sends one in the background, a moment after the answer. Never throws.
   * @param gone Aborted when the caller leaves without the answer. Then nothing is sent, and the worker undoes the browser.
   */
  send(browserId: string, address: string, gone: AbortSignal): void {
    const workerId = readWorkerId(readKey(address) ?? "");
    if (workerId === undefined) return;
    this.#needs.clock.after(ANSWERED_MS, () => {
      if (!gone.aborted) this.#send(browserId, workerId, TRIES);
    });
  }

  #send(browserId: string, workerId: string, triesLeft: number): void {
    const { placement, workers, clock, log } = this.#needs;
    const worker = placement.find(workerId);
    if (worker === undefined) return;
    workers
      .at(worker.url)
      .acknowledge(browserId)
      .catch((error: unknown) => {
        if (triesLeft > 1) clock.after(PAUSE_MS, () => this.#send(browserId, workerId, triesLeft - 1));
        else log.warn("browser.not_acknowledged", { id: browserId, worker: workerId, error });
      });
  }
}
