import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Server, ServerRegistry } from "../../ports/cluster/server-registry.ts";

/** Time after a silent worker's fence in which the worker can end its browsers, in ms. */
const MARGIN_MS = 60_000;
/** How often records of unlisted workers are closed, in ms. */
const STRAYS_MS = 60_000;

type DeadWorkersNeeds = {
  readonly registry: Pick<ServerRegistry, "id" | "remove" | "removeStrays">;
  readonly clock: Pick<Clock, "elapsedMs">;
  readonly log: Log;
};

/**
 * Removes workers that haven't reported for longer than their fence. Removing a worker closes its browsers' records.
 * Measures the time with the local clock, because the database's clock may jump, and restarts the measurement after a
 * failed read. Once a minute, also closes the records of unlisted workers.
 */
export class DeadWorkers {
  readonly #needs: DeadWorkersNeeds;
  /** The last report of each silent worker, and when that report was first read. */
  readonly #silent = new Map<string, { readonly seenAt: number; readonly sinceMs: number }>();
  /** When records of unlisted workers were last closed. */
  #straysMs: number;

  constructor(needs: DeadWorkersNeeds) {
    this.#needs = needs;
    this.#straysMs = needs.clock.elapsedMs();
  }

  /** Restarts all measurements after a failed read of the workers. */
  forget(): void {
    this.#silent.clear();
  }

  /** @param workers All workers, freshly read. @throws {StoreUnavailable} */
  async remove(workers: readonly Server[]): Promise<void> {
    const { registry, clock, log } = this.#needs;
    const now = clock.elapsedMs();
    const silent = workers.filter(({ id, isAlive }) => !isAlive && id !== registry.id);
    for (const id of this.#silent.keys()) if (!silent.some((worker) => worker.id === id)) this.#silent.delete(id);
    for (const { id, seenAt, role, fenceMs } of silent) {
      const known = this.#silent.get(id);
      if (known?.seenAt !== seenAt.getTime()) this.#silent.set(id, { seenAt: seenAt.getTime(), sinceMs: now });
      // A worker without a fence may still have open browsers. A front-end has waiting Open requests but no browsers.
      else if (now - known.sinceMs >= (role === "front" ? 0 : (fenceMs ?? Infinity)) + MARGIN_MS) {
        const removal = await registry.remove(id);
        if (removal.is === "removed") log.warn("worker.freed", { worker: id, browsers: removal.browsers });
      }
    }
    if (now - this.#straysMs < STRAYS_MS) return;
    this.#straysMs = now;
    const browsers = await registry.removeStrays();
    if (browsers > 0) log.warn("worker.strays_freed", { browsers });
  }
}
