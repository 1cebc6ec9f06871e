import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { WantedState, WorkerRegistry, WorkerReport } from "../../ports/worker-registry.ts";

const REPORT_MS = 2000;
/** How long an operator's work on a machine takes at least. */
const RETRY_AFTER_S = 30;

type Needs = {
  readonly registry: WorkerRegistry;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  readonly report: () => WorkerReport;
  /** Ends all browsers. Resolves when they have released everything. */
  readonly endBrowsers: () => Promise<void>;
};

/**
 * This server's place among those that share its database. It reports every two seconds, and does what the operator wants.
 * A server that was removed ends its browsers, because their records are closed, and joins again. Disposing leaves.
 */
export class Membership implements AsyncDisposable {
  readonly #needs: Needs;
  #wanted: WantedState = "active";
  #cancel: () => void = () => {};
  #reporting: Promise<void> | undefined;
  #isAway = false;
  #isLeaving = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Why this server opens no browsers now; undefined: it does. */
  get refusal(): Failure | undefined {
    return this.#wanted === "active" ? undefined : toCordoned();
  }

  /** Joins. @throws {Error} If the database can't write. */
  async start(): Promise<void> {
    await this.#join();
    this.#reportLater();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isLeaving = true;
    this.#cancel();
    await this.#reporting;
    // Without the database, the server's entry expires.
    await this.#needs.registry.leave().catch(() => {});
  }

  async #join(): Promise<void> {
    const { registry, report } = this.#needs;
    this.#wanted = await registry.register(report());
  }

  #reportLater(): void {
    if (this.#isLeaving) return;
    this.#cancel = this.#needs.clock.after(REPORT_MS, () => {
      this.#reporting = this.#report().finally(() => this.#reportLater());
    });
  }

  /** Never rejects. */
  async #report(): Promise<void> {
    const { registry, log, report, endBrowsers } = this.#needs;
    try {
      const wanted = await registry.report(report());
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
    } catch (error) {
      // Browsers stay open while the database is away.
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
