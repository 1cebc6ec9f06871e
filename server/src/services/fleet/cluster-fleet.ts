import { orAborted } from "../../concurrency/abortable.ts";
import type { Account } from "../../domain/account/account.ts";
import { readKey, readWorkerId } from "../../domain/browser/address.ts";
import { unitsPerMinute } from "../../domain/plan/price.ts";
import { usedMinutes } from "../../domain/plan/units.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { DesktopAccess } from "../../domain/browser/desktop.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import { Failure, unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DatedThumbnail, Picture } from "../../ports/display.ts";
import type {
  BrowserChange,
  BrowserMatch,
  Fleet,
  ListedBrowser,
  OpenCall,
  Owner,
  RecentBrowser,
} from "../../ports/fleet.ts";
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
  /** Reads the workers' reports again. @throws {Failure} If the store can't. */
  readonly refreshWorkers: () => Promise<void>;
  readonly workers: Pick<WorkerClient, "at">;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "workerCallFailed">;
};

/** The fleet of a deployment with workers: the store knows the browsers, and the workers have them. */
export class ClusterFleet implements Fleet {
  readonly #needs: ClusterFleetNeeds;

  constructor(needs: ClusterFleetNeeds) {
    this.#needs = needs;
  }

  async openBrowser(call: OpenCall, idempotencyKey?: string): ReturnType<Fleet["openBrowser"]> {
    const { opens, keyed, acknowledgements } = this.#needs;
    const { id, address } =
      idempotencyKey === undefined ? await opens.openNew(call) : await keyed.openOnce(call, idempotencyKey);
    acknowledgements.send(id, address, call.disconnected);
    return { id, address };
  }

  /**
   * Tells a browser's worker that a caller gets it.
   * @returns False if the worker is undoing it. @throws {Failure} `BrowserUnavailable` if the worker doesn't answer.
   */
  async claim({ id, address }: { readonly id: string; readonly address: string }): Promise<boolean> {
    const worker = readWorkerId(readKey(address) ?? "") ?? "";
    return (await this.#ask({ worker }, (calls) => calls.acknowledge(id))) ?? true;
  }

  async list(owner: Owner): Promise<ListedBrowser[]> {
    return (await this.#read(owner.id)).map((browser) => this.#toListed(browser));
  }

  async listAll(): Promise<ListedBrowser[]> {
    return (await this.#read(undefined)).map((browser) => this.#toListed(browser));
  }

  async listRecent(owner: Owner): Promise<RecentBrowser[]> {
    return (await this.#read(owner.id)).map((browser) => this.#toRecent(browser));
  }

  async findRecent(owner: Owner, selector: BrowserSelector): Promise<RecentBrowser | undefined> {
    const found = await this.#find(owner, selector);
    return found && this.#toRecent(found);
  }

  /**
   * Whether a started desktop of this worker has the key.
   * @throws {Failure} `BrowserUnavailable` if the worker doesn't answer.
   */
  hasDesktop(worker: string, key: string): Promise<boolean> {
    return this.#ask({ worker }, (calls) => calls.hasDesktop(key));
  }

  async wait(
    owner: Owner,
    selector: BrowserSelector,
    maxMs: number,
    signal: AbortSignal,
  ): Promise<RecentBrowser | undefined> {
    const found = await this.#find(owner, selector);
    return found && this.#ask(found, (worker) => worker.wait(owner, { id: found.id }, maxMs, signal));
  }

  async close(owner: Owner, selector: BrowserSelector): Promise<void> {
    const found = await this.#get(owner, selector);
    try {
      await this.#ask(found, (worker) => worker.close(owner, { id: found.id }));
    } catch (error) {
      if (error instanceof Failure && error.cause instanceof WorkerUnreachable) await this.#remember([found]);
      throw error;
    }
  }

  async closeMatching(owner: Owner, match: BrowserMatch): Promise<number> {
    const matching = (await this.#read(owner.id)).filter((browser) => isMatching(browser, match));
    const closing = [...byWorker(matching)].map(async (browsers) => {
      const [first] = browsers;
      try {
        return first === undefined ? 0 : await this.#ask(first, (worker) => worker.closeMatching(owner, match));
      } catch (error) {
        await this.#remember(browsers);
        throw error;
      }
    });
    const results = await Promise.allSettled(closing);
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return results.reduce((sum, result) => sum + (result.status === "fulfilled" ? result.value : 0), 0);
  }

  async change(account: Account, selector: BrowserSelector, change: BrowserChange): Promise<RecentBrowser> {
    const found = await this.#get(account, selector);
    return this.#ask(found, (worker) => worker.change(account, { id: found.id }, change));
  }

  async closeAllOf(accountId: string, reason: EndReason): Promise<void> {
    const closing = [...byWorker(await this.#read(accountId))].map(async ([first]) => {
      if (first !== undefined) await this.#ask(first, (worker) => worker.closeAllOf(accountId, reason));
    });
    // A worker that doesn't answer closes the browsers of disabled accounts by itself.
    await Promise.allSettled(closing);
  }

  async startDesktop(owner: Owner, selector: BrowserSelector, base: URL): Promise<DesktopAccess> {
    const found = await this.#get(owner, selector);
    return this.#ask(found, (worker) => worker.startDesktop(owner, { id: found.id }, base));
  }

  async stopDesktop(owner: Owner, selector: BrowserSelector): Promise<void> {
    const found = await this.#get(owner, selector);
    return this.#ask(found, (worker) => worker.stopDesktop(owner, { id: found.id }));
  }

  async takePicture(owner: Owner, selector: BrowserSelector, signal: AbortSignal): Promise<DatedThumbnail | undefined> {
    const found = await this.#get(owner, selector);
    return this.#ask(found, (worker) => worker.takePicture(owner, { id: found.id }, signal));
  }

  async takeScreenshot(owner: Owner, selector: BrowserSelector, signal: AbortSignal): Promise<Picture> {
    const found = await this.#get(owner, selector);
    return this.#ask(found, (worker) => worker.takeScreenshot(owner, { id: found.id }, signal));
  }

  async #read(accountId: string | undefined): Promise<StoredBrowser[]> {
    return this.#readStore((store) => store.list(accountId));
  }

  async #find(owner: Owner, selector: BrowserSelector): Promise<StoredBrowser | undefined> {
    return this.#readStore((store) => store.find(owner.id, selector));
  }

  async #readStore<T>(read: (store: FleetStore) => Promise<T>): Promise<T> {
    const { store, clock } = this.#needs;
    return orStoreFailure(waitForStore(clock, () => read(store)));
  }

  /** @throws {Failure} `BrowserNotFound` for a browser that is unknown, closed, or another account's. */
  async #get(owner: Owner, selector: BrowserSelector): Promise<StoredBrowser> {
    const found = await this.#find(owner, selector);
    if (found === undefined) throw new Failure("BrowserNotFound", toNotFound(selector));
    return found;
  }

  /** @throws {Failure} `BrowserUnavailable`, caused by `WorkerUnreachable`, if the browser's worker doesn't answer. */
  async #ask<T>(browser: Pick<StoredBrowser, "worker">, call: (worker: WorkerCalls) => Promise<T>): Promise<T> {
    const { placement, refreshWorkers, workers, log, metrics } = this.#needs;
    // It may have started since the reports were last read.
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
      throw unavailable("The server that runs this browser doesn't answer.", { cause });
    }
  }

  /** Their worker closes them when it reports again. */
  async #remember(browsers: readonly StoredBrowser[]): Promise<void> {
    const { store, log } = this.#needs;
    for (const { id } of browsers) {
      await store.wantClosed(id).catch((error: unknown) => log.error("browser.close_not_remembered", { id, error }));
    }
  }

  #toRecent(browser: StoredBrowser): RecentBrowser {
    return { ...this.#toListed(browser), end: undefined };
  }

  #toListed(browser: StoredBrowser): ListedBrowser {
    const units = usedMinutes(browser.openedAt, this.#needs.clock.now()) * unitsPerMinute(browser);
    return { ...browser, ...(browser.details ?? UNKNOWN), units };
  }
}

/** Of a browser whose worker hasn't described it yet. */
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
