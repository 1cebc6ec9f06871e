import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type WorkerClient, WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import type { Placement, ReachableWorker } from "./placement.ts";

/** The pause between calls to a worker, in ms. */
const PAUSE_MS = 5000;
/** The number of consecutive failures after which a worker counts as unreachable. */
const MOST_FAILURES = 2;

type ReachabilityNeeds = {
  readonly placement: Pick<Placement, "opening" | "avoid">;
  readonly workers: Pick<WorkerClient, "at">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
};

/**
 * Checks whether workers respond to this front-end's calls, which the workers' reports to the database can't show.
 * Disposing stops the checks.
 */
export class Reachability implements Disposable {
  readonly #needs: ReachabilityNeeds;
  /** Each worker's consecutive failures. A new worker starts one failure below the limit. */
  #failures: ReadonlyMap<string, number> = new Map();
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(needs: ReachabilityNeeds) {
    this.#needs = needs;
  }

  start(): void {
    void this.#callAll().then(() => {
      if (!this.#isStopped) this.#cancel = this.#needs.clock.after(PAUSE_MS, () => this.start());
    });
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** The reason no worker can open browsers for this front-end; undefined if a worker responds or may respond. */
  get fault(): string | undefined {
    const { opening } = this.#needs.placement;
    if (opening.length === 0 || opening.some((worker) => !this.#isUnreachable(worker))) return undefined;
    const which =
      opening.length === 1 ? "The worker doesn't respond" : `None of the ${opening.length} workers responds`;
    return `${which} to this front-end. For the reason, see worker.unreachable in the front-end's log.`;
  }

  #isUnreachable({ id }: ReachableWorker): boolean {
    return (this.#failures.get(id) ?? 0) >= MOST_FAILURES;
  }

  async #callAll(): Promise<void> {
    const { opening } = this.#needs.placement;
    this.#failures = new Map(
      await Promise.all(opening.map(async (worker) => [worker.id, await this.#call(worker)] as const)),
    );
  }

  /** @returns The worker's consecutive failures. */
  async #call(worker: ReachableWorker): Promise<number> {
    const { workers, log, placement } = this.#needs;
    const { id } = worker;
    const before = this.#failures.get(id) ?? MOST_FAILURES - 1;
    try {
      await workers.at(worker).ping();
      if (before >= MOST_FAILURES) log.info("worker.reachable", { worker: id });
      return 0;
    } catch (error) {
      if (error instanceof WorkerUnreachable && error.isMisdirected) placement.avoid(id);
      if (before === MOST_FAILURES - 1) log.warn("worker.unreachable", { worker: id, error });
      return before + 1;
    }
  }
}
