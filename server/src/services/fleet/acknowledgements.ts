import { waitUpTo } from "../../concurrency/abortable.ts";
import { readKey, readWorkerId } from "../../domain/browser/address.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { WorkerClient } from "../../ports/cluster/worker-calls.ts";
import type { Placement } from "../placement/placement.ts";

/** Maximum number of attempts per acknowledgement, for which a browser waits 30 s, and the delay between them in ms. */
const [TRIES, PAUSE_MS] = [5, 4000];
/** Time within which a response is written, or its caller is known to have disconnected, in ms. */
const ANSWERED_MS = 100;
/** The maximum time that a stopping server waits for pending acknowledgements, in ms. */
const STOP_MS = 1000;

type AcknowledgementsNeeds = {
  readonly placement: Pick<Placement, "find">;
  readonly workers: Pick<WorkerClient, "at">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
};

type Planned = { readonly cancel: () => void; readonly act: () => void };

/** Notifies workers that Open callers received their browsers. Disposing sends delayed acknowledgements immediately. */
export class Acknowledgements implements AsyncDisposable {
  readonly #needs: AcknowledgementsNeeds;
  readonly #planned = new Set<Planned>();
  readonly #sending = new Set<Promise<unknown>>();
  #isStopping = false;

  constructor(needs: AcknowledgementsNeeds) {
    this.#needs = needs;
  }

  /**
   * Sends an acknowledgement in the background, shortly after the response. Never throws.
   * @param disconnected Aborted if the caller disconnects before receiving the response. If so, no acknowledgement is
   * sent and the worker discards the browser.
   */
  send(browserId: string, address: string, disconnected: AbortSignal): void {
    const workerId = readWorkerId(readKey(address) ?? "");
    if (workerId === undefined) return;
    this.#plan(ANSWERED_MS, () => {
      if (!disconnected.aborted) this.#send(browserId, workerId, TRIES);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    for (const { cancel, act } of this.#planned) {
      cancel();
      act();
    }
    this.#planned.clear();
    await waitUpTo(STOP_MS, this.#needs.clock, Promise.all(this.#sending));
  }

  #plan(delayMs: number, act: () => void): void {
    const planned: Planned = {
      act,
      cancel: this.#needs.clock.after(delayMs, () => {
        this.#planned.delete(planned);
        act();
      }),
    };
    this.#planned.add(planned);
  }

  #send(browserId: string, workerId: string, triesLeft: number): void {
    const { placement, workers, log } = this.#needs;
    const worker = placement.find(workerId);
    if (worker === undefined) return;
    const sent = workers
      .at(worker)
      .acknowledge(browserId)
      .catch((error: unknown) => {
        if (triesLeft > 1 && !this.#isStopping)
          this.#plan(PAUSE_MS, () => this.#send(browserId, workerId, triesLeft - 1));
        else log.warn("browser.not_acknowledged", { id: browserId, worker: workerId, error });
      })
      .finally(() => this.#sending.delete(sent));
    this.#sending.add(sent);
  }
}
