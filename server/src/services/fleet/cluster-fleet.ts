import { orAborted } from "../../concurrency/abortable.ts";
import { readKey, readWorkerId } from "../../domain/browser/address.ts";
import { unitsPerMinute } from "../../domain/plan/price.ts";
import { usedMinutes } from "../../domain/plan/units.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import { Failure, unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet, ListedBrowser, Owner, RecentBrowser } from "../../ports/fleet.ts";
import type { BrowserDetails, FleetStore, StoredBrowser } from "../../ports/store/fleet-store.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { type WorkerCalls, type WorkerClient, WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import type { KeyedOpens } from "../admission/keyed-opens.ts";
import { isMatching } from "./local-fleet.ts";
import { toNotFound } from "../browsers/local-browsers.ts";
import { orStoreFailure } from "../store/store-failure.ts";
import { waitForStore } from "../store/store-wait.ts";
import type { Acknowledgements } from "./acknowledgements.ts";
import type { ClusterOpens } from "./cluster-opens.ts";
import type { Placement } from "../placement/placement.ts";

type ClusterFleetNeeds = {
  readonly opens: Pick<ClusterOpens, "openNew">;
  readonly keyed: Pick<KeyedOpens, "openOnce">;
  readonly acknowledgements: Acknowledgements;
  readonly store: FleetStore;
  readonly placement: Pick<Placement, "find" | "silenceOf">;
  /** Reads the workers' reports again. @throws {Failure} If the store is unavailable. */
  readonly refreshWorkers: () => Promise<void>;
  readonly workers: Pick<WorkerClient, "at">;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "workerCallFailed">;
};

/** A fleet with additional calls to workers. */
export interface ClusterFleet extends Fleet {
  /**
   * Notifies a browser's worker that a caller is about to receive the browser.
   * @returns False if the worker is discarding the browser. @throws {Failure} `BrowserUnavailable` if the worker
   * doesn't respond.
   */
  claim(browser: { readonly id: string; readonly address: string }): Promise<boolean>;
  /**
   * Whether one of the worker's started desktops has the key.
   * @throws {Failure} `BrowserUnavailable` if the worker doesn't respond.
   */
  hasDesktop(worker: string, key: string): Promise<boolean>;
}

/**
 * Returns the fleet of a deployment with workers. Lists browsers from the store, and calls the workers that run them.
 */
export function newClusterFleet(needs: ClusterFleetNeeds): ClusterFleet {
  const { opens, keyed, acknowledgements, store, placement, refreshWorkers, workers, clock, log, metrics } = needs;
  const readStore = async <T>(read: () => Promise<T>): Promise<T> => orStoreFailure(waitForStore(clock, read));
  const read = (accountId: string | undefined): Promise<StoredBrowser[]> => readStore(() => store.list(accountId));
  const find = (owner: Owner, selector: BrowserSelector): Promise<StoredBrowser | undefined> =>
    readStore(() => store.find(owner.id, selector));
  /** @throws {Failure} `BrowserNotFound` for a browser that is unknown, closed, or another account's. */
  const get = async (owner: Owner, selector: BrowserSelector): Promise<StoredBrowser> => {
    const found = await find(owner, selector);
    if (found === undefined) throw new Failure("BrowserNotFound", toNotFound(selector));
    return found;
  };
  /** @throws {Failure} `BrowserUnavailable`, caused by `WorkerUnreachable`, if the browser's worker doesn't respond. */
  const ask = async <T>(
    browser: Pick<StoredBrowser, "worker">,
    call: (worker: WorkerCalls) => Promise<T>,
  ): Promise<T> => {
    // The worker may have started after the reports were last read.
    if (placement.find(browser.worker)?.isAlive !== true) await refreshWorkers();
    const worker = placement.find(browser.worker);
    try {
      if (worker?.isAlive !== true)
        throw new WorkerUnreachable(`The worker ${browser.worker} doesn't report.`, { isOutcomeUnknown: false });
      return await orAborted(call(workers.at(worker)), placement.silenceOf(worker.id));
    } catch (cause) {
      if (!(cause instanceof WorkerUnreachable)) throw cause;
      log.warn("worker.unreachable", { worker: browser.worker, error: cause });
      metrics.workerCallFailed();
      throw unavailable("The server that runs this browser doesn't respond.", { cause });
    }
  };
  /** Calls the worker of the owner's browser. @throws {Failure} `BrowserNotFound`, or the same failures as `ask`. */
  const askAbout = async <T>(
    owner: Owner,
    selector: BrowserSelector,
    call: (worker: WorkerCalls, browser: { readonly id: string }) => Promise<T>,
  ): Promise<T> => {
    const found = await get(owner, selector);
    return ask(found, (worker) => call(worker, { id: found.id }));
  };
  /** Records that the worker must close the browsers when it next reports. */
  const remember = async (browsers: readonly StoredBrowser[]): Promise<void> => {
    for (const { id } of browsers) {
      await store.wantClosed(id).catch((error: unknown) => log.error("browser.close_not_remembered", { id, error }));
    }
  };
  const toListed = (browser: StoredBrowser): ListedBrowser => {
    const units = usedMinutes(browser.openedAt, clock.now()) * unitsPerMinute(browser);
    return { ...browser, ...(browser.details ?? UNKNOWN), units };
  };
  const toRecent = (browser: StoredBrowser): RecentBrowser => ({ ...toListed(browser), end: undefined });

  return {
    async openBrowser(call, idempotencyKey) {
      const { id, address } =
        idempotencyKey === undefined ? await opens.openNew(call) : await keyed.openOnce(call, idempotencyKey);
      acknowledgements.send(id, address, call.disconnected);
      return { id, address };
    },

    async claim({ id, address }) {
      const worker = readWorkerId(readKey(address) ?? "") ?? "";
      return (await ask({ worker }, (calls) => calls.acknowledge(id))) ?? true;
    },

    list: async (owner) => (await read(owner.id)).map(toListed),

    listAll: async () => (await read(undefined)).map(toListed),

    listRecent: async (owner) => (await read(owner.id)).map(toRecent),

    async findRecent(owner, selector) {
      const found = await find(owner, selector);
      return found && toRecent(found);
    },

    hasDesktop: (worker, key) => ask({ worker }, (calls) => calls.hasDesktop(key)),

    async wait(owner, selector, maxMs, signal) {
      const found = await find(owner, selector);
      return found && ask(found, (worker) => worker.wait(owner, { id: found.id }, maxMs, signal));
    },

    async close(owner, selector) {
      const found = await get(owner, selector);
      try {
        await ask(found, (worker) => worker.close(owner, { id: found.id }));
      } catch (error) {
        if (error instanceof Failure && error.cause instanceof WorkerUnreachable) await remember([found]);
        throw error;
      }
    },

    async closeMatching(owner, match) {
      const matching = (await read(owner.id)).filter((browser) => isMatching(browser, match));
      const closing = [...byWorker(matching)].map(async (browsers) => {
        const [first] = browsers;
        try {
          return first === undefined ? 0 : await ask(first, (worker) => worker.closeMatching(owner, match));
        } catch (error) {
          await remember(browsers);
          throw error;
        }
      });
      const results = await Promise.allSettled(closing);
      const failed = results.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      return results.reduce((sum, result) => sum + (result.status === "fulfilled" ? result.value : 0), 0);
    },

    change: (account, selector, change) =>
      askAbout(account, selector, (worker, browser) => worker.change(account, browser, change)),

    async closeAllOf(accountId, reason) {
      const closing = [...byWorker(await read(accountId))].map(async ([first]) => {
        if (first !== undefined) await ask(first, (worker) => worker.closeAllOf(accountId, reason));
      });
      // Workers that don't respond close disabled accounts' browsers themselves.
      await Promise.allSettled(closing);
    },

    startDesktop: (owner, selector, base) =>
      askAbout(owner, selector, (worker, browser) => worker.startDesktop(owner, browser, base)),

    stopDesktop: (owner, selector) =>
      askAbout(owner, selector, (worker, browser) => worker.stopDesktop(owner, browser)),

    takePicture: (owner, selector, signal) =>
      askAbout(owner, selector, (worker, browser) => worker.takePicture(owner, browser, signal)),

    takeScreenshot: (owner, selector, signal) =>
      askAbout(owner, selector, (worker, browser) => worker.takeScreenshot(owner, browser, signal)),
  };
}

/** The details of browsers whose workers haven't reported them yet. */
const UNKNOWN: BrowserDetails = {
  proxyHost: undefined,
  hasScreen: false,
  desktopPassword: undefined,
  clients: 0,
  due: undefined,
  keepOpenMs: undefined,
  lifetimeMs: undefined,
  traffic: { sent: 0, received: 0 },
};

function byWorker(browsers: readonly StoredBrowser[]): Iterable<readonly StoredBrowser[]> {
  return Map.groupBy(browsers, ({ worker }) => worker).values();
}
