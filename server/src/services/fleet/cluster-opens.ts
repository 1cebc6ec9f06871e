import { orAborted } from "../../concurrency/abortable.ts";
import { toSubscription } from "../../domain/account/account.ts";
import { checkInstalled } from "../../domain/browser/browser-kind.ts";
import type { LaunchOptions } from "../../domain/browser/open-options.ts";
import { unavailable } from "../../domain/failure.ts";
import type { OpenCall } from "../../ports/fleet.ts";
import type { FleetStore } from "../../ports/store/fleet-store.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics, PlacementOutcome } from "../../ports/metrics.ts";
import type { Idempotency } from "../../ports/store/store.ts";
import { type OpenAnswer, type WorkerClient, WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import { type AdmissionNeeds, admit, countOpen } from "../admission/admissions.ts";
import { OpenTime } from "../admission/open-time.ts";
import type { Opened } from "../admission/keyed-opens.ts";
import { toStoreFailure } from "../store/store-failure.ts";
import type { Placed, Placement } from "../placement/placement.ts";
import type { Turn, WorkerQueue } from "../placement/worker-queue.ts";

/** The maximum number of workers that a request tries. */
const MAX_ATTEMPTS = 3;

type ClusterOpensNeeds = Omit<AdmissionNeeds, "capacity" | "metrics"> & {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly placement: Placement;
  readonly workers: Pick<WorkerClient, "at">;
  readonly waiting: WorkerQueue;
  readonly fleetStore: Pick<FleetStore, "own" | "moveTo" | "giveUp">;
  readonly newId: () => string;
  /** Returns a digest that is the same for all options that start the same browser. */
  readonly toWarmDigest: (options: LaunchOptions) => string;
  /** The time limit of Open requests that don't wait for a place, in ms. */
  readonly openTimeoutMs: number;
  /** Aborted when this server stops. The signal's reason is the failure that Open requests reject with. */
  readonly shutdown: AbortSignal;
};

type Request = Omit<OpenCall, "disconnected"> & {
  readonly id: string;
  readonly digest: string;
  readonly time: OpenTime;
  readonly turn: Turn;
  readonly signal: AbortSignal;
};

export class ClusterOpens {
  readonly #needs: ClusterOpensNeeds;
  /** Requests in progress, which a shutdown waits for. */
  readonly #pending = new Set<Promise<unknown>>();

  constructor(needs: ClusterOpensNeeds) {
    this.#needs = needs;
  }

  /** Resolves when no browser is being opened. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  /** Admits a request, and opens its browser on a worker. @throws Like `LocalBrowsers.openNew`. */
  openNew(call: OpenCall, idempotency?: Idempotency): Promise<Opened> {
    return countOpen(this.#openInTime(call, idempotency), call.disconnected, this.#needs.metrics);
  }

  async #openInTime(
    { account, options, base, disconnected }: OpenCall,
    idempotency: Idempotency | undefined,
  ): Promise<Opened> {
    const { clock, openTimeoutMs, newId, plans, shutdown, toWarmDigest, waiting } = this.#needs;
    const time = new OpenTime({ openTimeoutMs, waitForPlaceMs: options.waitForPlaceMs }, clock);
    const signal = AbortSignal.any([disconnected, time.late, shutdown]);
    try {
      shutdown.throwIfAborted();
      const { memoryBytes, hasWebGl } = toSubscription(account, plans) ?? {};
      const digest = toWarmDigest({ ...options, memoryBytes, hasWebGl });
      const request = { id: newId(), account, options, digest, base, time, turn: waiting.newTurn(), signal };
      const opening = this.#openOne(request, idempotency);
      this.#pending.add(opening);
      void opening.catch(() => {}).finally(() => this.#pending.delete(opening));
      return await orAborted(opening, time.late);
    } finally {
      time.end();
    }
  }

  async #openOne(request: Request, idempotency: Idempotency | undefined): Promise<Opened> {
    const { id, account, options, digest, time, signal } = request;
    const { placement, queue, store, fleetStore } = this.#needs;
    let placed: Placed | undefined;
    const chooseWorker = () => {
      placed?.settle("failed");
      placed = placement.placeAnyway(options.kind, undefined, digest);
      return placed?.worker && { worker: placed.worker.id, instance: placed.worker.instance };
    };
    const needs = {
      ...this.#needs,
      capacity: placement,
      findRefusal: () => this.#needs.findRefusal() ?? placement.refusal,
      // An open browser belongs to its worker, so only the row of an unopened browser is deleted.
      store: { ...store, cancel: (browserId: string) => fleetStore.giveUp(browserId) },
    };
    const wanted = { browserId: id, account, options, idempotency, chooseWorker };
    try {
      await using reservation = await admit(wanted, time, signal, needs);
      checkInstalled(options, placement);
      const first = placed;
      placed = undefined;
      const address = await this.#openPlaced({ ...request, account: reservation.account }, first);
      reservation.release();
      return toOpened(id, address);
    } finally {
      placed?.settle("failed");
      queue.wake(account.id);
    }
  }

  /** @param first The worker in the reservation; undefined if the reservation names this process. */
  async #openPlaced(request: Request, first: Placed | undefined): Promise<string> {
    const { id: browserId, account, options, digest, time, turn, signal } = request;
    const { placement, waiting } = this.#needs;
    const wanted = { kind: options.kind, digest, turn };
    let tried = new Set<string>();
    const row: Row = { browserId, attempt: 1, isOwn: first === undefined };
    for (let placed = first; ; placed = undefined) {
      placed ??= time.canWait
        ? placement.place(options.kind, tried, digest)
        : placement.placeAnyway(options.kind, tried, digest);
      if (placed === undefined) {
        if (!time.canWait) throw placement.toUnplaced();
        if (!row.isOwn) await this.#move(row, undefined);
        placed = await time.wait((maxMs) => waiting.wait(account.id, wanted, maxMs, signal));
        tried = new Set();
      }
      if (placed !== first) await this.#move(row, placed);
      const answer = await this.#ask(request, row.attempt, placed);
      if (answer.is === "opened") return answer.address;
      signal.throwIfAborted();
      tried.add(placed.worker.id);
      if (tried.size >= MAX_ATTEMPTS && !time.canWait) throw placement.toUnplaced();
    }
  }

  /**
   * Moves the browser to another worker, or back to this process. The previous worker can no longer open it.
   * @throws {Failure} `BrowserUnavailable` if the previous worker has already opened the browser. The worker then
   * discards the browser, because no user receives it.
   */
  async #move(row: Row, placed: Placed | undefined): Promise<void> {
    const { fleetStore } = this.#needs;
    const { id: worker, instance } = placed?.worker ?? { id: fleetStore.own.worker, instance: fleetStore.own.instance };
    try {
      if (!(await fleetStore.moveTo(row.browserId, row.attempt, { worker, instance })))
        throw unavailable("The server that was chosen to open the browser doesn't respond.");
    } catch (error) {
      placed?.settle("failed");
      throw toStoreFailure(error);
    }
    row.attempt += 1;
    row.isOwn = placed === undefined;
  }

  async #ask(request: Request, attempt: number, placed: Placed): Promise<OpenAnswer> {
    const { id: browserId, account, options, base, signal } = request;
    const { workers, placement, openTimeoutMs, log, metrics } = this.#needs;
    const silence = placement.silenceOf(placed.worker.id);
    let how: PlacementOutcome = "failed";
    try {
      const open = { browserId, attempt, account, options, base, maxMs: openTimeoutMs };
      const answer = await workers.at(placed.worker).openPlaced(open, AbortSignal.any([signal, silence]));
      how = answer.is === "opened" ? "opened" : "full";
      return answer;
    } catch (error) {
      if (!(error instanceof WorkerUnreachable)) throw error;
      how = "unreachable";
      metrics.workerCallFailed();
      log.warn("worker.unreachable", { worker: placed.worker.id, error });
      return { is: "refused" };
    } finally {
      placed.settle(how);
      metrics.browserPlaced(how);
    }
  }
}

type Row = { readonly browserId: string; attempt: number; isOwn: boolean };

/** Returns an open browser that its worker manages. */
function toOpened(id: string, address: string): Opened {
  const over = Promise.resolve();
  return { id, address, isUsed: true, undo: async () => {}, ended: over, closed: over };
}
