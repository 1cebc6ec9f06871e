import type { Clock } from "../../ports/clock.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { FleetStore } from "../../ports/store/fleet-store.ts";
import type { OpenAnswer, PlacedOpen, WorkerCalls } from "../../ports/cluster/worker-calls.ts";
import { ABANDONED_MS } from "../admission/awaiting-callers.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";
import type { Outbox } from "../store/outbox.ts";
import type { LocalBrowsers } from "../browsers/local-browsers.ts";
import type { Desktops } from "../desktops/desktops.ts";
import type { Descriptions } from "./descriptions.ts";

type WorkerCallHandlerNeeds = {
  readonly fleet: Omit<Fleet, "openBrowser" | "list" | "listAll" | "listRecent">;
  readonly localBrowsers: Pick<LocalBrowsers, "openPlaced" | "findById">;
  readonly desktops: Pick<Desktops, "findByKey">;
  readonly descriptions: Descriptions;
  readonly store: Pick<FleetStore, "cancel">;
  readonly outbox: Outbox;
  readonly clock: Pick<Clock, "after">;
  /** The base URL of addresses that bypass the front-ends; undefined if addresses use a front-end. */
  readonly publicUrl: URL | undefined;
};

/** Handles front-ends' calls to a worker. */
export class WorkerCallHandler implements WorkerCalls {
  readonly #needs: WorkerCallHandlerNeeds;
  readonly #opening = new Set<string>();
  /** Functions that cancel the timers of browsers that no caller has confirmed, by browser id. */
  readonly #unclaimed = new Map<string, () => void>();
  /** Ids of browsers that are being closed because no caller has confirmed them. */
  readonly #undone = new Set<string>();

  constructor(needs: WorkerCallHandlerNeeds) {
    this.#needs = needs;
  }

  async openPlaced(open: PlacedOpen, signal: AbortSignal): Promise<OpenAnswer> {
    const { browserId } = open;
    // An earlier attempt is still using the browser's sandbox, unaware that its caller has disconnected.
    if (this.#opening.has(browserId)) return { is: "refused" };
    this.#opening.add(browserId);
    try {
      return await this.#open(open, signal);
    } finally {
      this.#opening.delete(browserId);
    }
  }

  async #open(open: PlacedOpen, signal: AbortSignal): Promise<OpenAnswer> {
    const { localBrowsers, store, outbox, descriptions, publicUrl } = this.#needs;
    const { browserId: id, attempt, account } = open;
    const about = { event: "browser.cancel_failed", id, accountId: account.id };
    const giveUp = (): Promise<void> => outbox.write(() => store.cancel(id, attempt), about);
    const placed = { ...open, base: publicUrl ?? open.base };
    const browser = await localBrowsers.openPlaced(placed, signal, giveUp);
    if (browser === undefined) return { is: "refused" };
    this.#waitForClaim(browser);
    await descriptions.write(account, { id });
    return { is: "opened", address: browser.address };
  }

  /** Whether an attempt to open the browser is in progress. */
  isOpening(browserId: string): boolean {
    return this.#opening.has(browserId);
  }

  async acknowledge(browserId: string): Promise<boolean> {
    this.#endWait(browserId);
    return this.#needs.localBrowsers.findById(browserId) !== undefined && !this.#undone.has(browserId);
  }

  async ping(): Promise<void> {}

  async hasDesktop(key: string): Promise<boolean> {
    return this.#needs.desktops.findByKey(key) !== undefined;
  }

  close: WorkerCalls["close"] = (...given) => this.#needs.fleet.close(...given);
  closeMatching: WorkerCalls["closeMatching"] = (...given) => this.#needs.fleet.closeMatching(...given);
  closeAllOf: WorkerCalls["closeAllOf"] = (...given) => this.#needs.fleet.closeAllOf(...given);
  takePicture: WorkerCalls["takePicture"] = (...given) => this.#needs.fleet.takePicture(...given);
  takeScreenshot: WorkerCalls["takeScreenshot"] = (...given) => this.#needs.fleet.takeScreenshot(...given);

  async wait(...given: Parameters<WorkerCalls["wait"]>): ReturnType<WorkerCalls["wait"]> {
    const { fleet, localBrowsers } = this.#needs;
    const browser = await fleet.wait(...given);
    // Front-ends read the browser's end from the store, so the end must be stored before this call returns.
    if (browser?.end !== undefined) await localBrowsers.findById(browser.id)?.closed;
    return browser;
  }

  async change(...given: Parameters<WorkerCalls["change"]>): ReturnType<WorkerCalls["change"]> {
    const browser = await this.#needs.fleet.change(...given);
    await this.#needs.descriptions.write({ id: browser.accountId }, { id: browser.id });
    return browser;
  }

  async startDesktop(
    ...[owner, selector, base]: Parameters<WorkerCalls["startDesktop"]>
  ): ReturnType<WorkerCalls["startDesktop"]> {
    const { fleet, descriptions, publicUrl } = this.#needs;
    const access = await fleet.startDesktop(owner, selector, publicUrl ?? base);
    await descriptions.write(owner, selector);
    return access;
  }

  async stopDesktop(...[owner, selector]: Parameters<WorkerCalls["stopDesktop"]>): Promise<void> {
    await this.#needs.fleet.stopDesktop(owner, selector);
    await this.#needs.descriptions.write(owner, selector);
  }

  #waitForClaim(browser: OpenBrowser): void {
    const cancel = this.#needs.clock.after(ABANDONED_MS, () => {
      this.#unclaimed.delete(browser.id);
      if (browser.isUsed) return;
      this.#undone.add(browser.id);
      void browser.undo();
    });
    this.#unclaimed.set(browser.id, cancel);
    void browser.ended.then(() => this.#endWait(browser.id));
    void browser.closed.then(() => this.#undone.delete(browser.id));
  }

  #endWait(browserId: string): void {
    this.#unclaimed.get(browserId)?.();
    this.#unclaimed.delete(browserId);
  }
}
