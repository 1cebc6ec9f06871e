import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { WantedState, Worker, WorkerRegistry, WorkerReport } from "../../ports/worker-registry.ts";
import { DeadWorkers } from "./dead-workers.ts";

const REPORT_MS = 2000;
/** How long an operator's work on a machine takes at least. */
const RETRY_AFTER_S = 30;

type Needs = {
  readonly registry: WorkerRegistry;
  readonly clock: Pick<Clock, "after" | "elapsedMs">;
  readonly log: Log;
  readonly report: () => Omit<WorkerReport, "fenceMs">;
  /** How long this server keeps its browsers if it can't report and there are other servers, in ms; undefined: forever. */
  readonly fenceMs: number | undefined;
  /** Ends all browsers. Resolves when they have released everything. */
  readonly endBrowsers: () => Promise<void>;
  /** Gets all servers each time they are read. */
  readonly onWorkers?: (workers: readonly Worker[]) => void;
};

/**
 * This server's place among those that share its database. It reports every two seconds, and does what the operator wants.
 * A server that was removed ends its browsers, because their records are closed, and joins again. Disposing leaves.
 *
 * Other servers can't tell a server that has died from one that can't reach the database. So a server that couldn't report for
 * `fenceMs` ends its browsers itself, and the others close their records afterwards. A server alone has no reason to do so.
 */
export class Membership implements AsyncDisposable {
  readonly #needs: Needs;
  #wanted: WantedState = "active";
  #cancel: () => void = () => {};
  readonly #dead: DeadWorkers;
  #hasOthers = false;
  #cancelFence: (() => void) | undefined;
  #reporting: Promise<void> | undefined;
  #isAway = false;
  #isLeaving = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#dead = new DeadWorkers(needs);
  }

  /** Why this server opens no browsers now; undefined: it does. */
  get refusal(): Failure | undefined {
    return this.#wanted === "active" ? undefined : toCordoned();
  }

  /** Joins. @throws {Error} If the database can't write. */
  async start(): Promise<void> {
    await this.#look();
    await this.#join();
    this.#reportLater();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isLeaving = true;
    this.#cancel();
    this.#cancelFence?.();
    await this.#reporting;
    // Without the database, the server's entry expires.
    await this.#needs.registry.leave().catch(() => {});
  }

  async #join(): Promise<void> {
    const { registry } = this.#needs;
    this.#wanted = await this.#promise((report) => registry.register(report));
  }

  /** Reads all workers. */
  async #look(): Promise<void> {
    const { registry, onWorkers } = this.#needs;
    const workers = await registry.list();
    onWorkers?.(workers);
    this.#hasOthers = workers.some(({ id }) => id !== registry.id);
    await this.#dead.remove(workers);
  }

  /** Sends a report, and keeps the promise in it whether an answer arrives or not. */
  async #promise<T>(send: (report: WorkerReport) => Promise<T>): Promise<T> {
    const { clock, report } = this.#needs;
    const fenceMs = this.#hasOthers ? this.#needs.fenceMs : undefined;
    const sentMs = clock.elapsedMs();
    if (fenceMs !== undefined) this.#cancelFence ??= clock.after(fenceMs, () => this.#fence());
    const answer = await send({ ...report(), fenceMs });
    this.#cancelFence?.();
    this.#cancelFence = undefined;
    if (fenceMs !== undefined && !this.#isLeaving) {
      this.#cancelFence = clock.after(sentMs + fenceMs - clock.elapsedMs(), () => this.#fence());
    }
    return answer;
  }

  #fence(): void {
    const { log, endBrowsers } = this.#needs;
    log.error("worker.fenced");
    endBrowsers().catch((error: unknown) => log.error("worker.fence_failed", { error }));
  }

  #reportLater(): void {
    if (this.#isLeaving) return;
    this.#cancel = this.#needs.clock.after(REPORT_MS, () => {
      this.#reporting = this.#report().finally(() => this.#reportLater());
    });
  }

  /** Never rejects. */
  async #report(): Promise<void> {
    const { registry, log, endBrowsers } = this.#needs;
    try {
      const wanted = await this.#promise((report) => registry.report(report));
      if (this.#isAway) log.info("worker.back");
      this.#isAway = false;
      if (wanted === undefined) {
        log.error("worker.removed");
        await endBrowsers();
        await this.#join();
      } else {
        if (wanted !== this.#wanted) log.info("worker.wanted", { state: wanted });
        this.#wanted = wanted;
      }
      await this.#look();
    } catch (error) {
      // Browsers stay open while the database is away, until the fence.
      this.#dead.forget();
      if (!this.#isAway) log.warn("worker.report_failed", { error });
      this.#isAway = true;
    }
  }
}

function toCordoned(): Failure {
  return new Failure(
    "BrowserUnavailable",
    `The operator has stopped this server from opening browsers. Try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S },
  );
}
