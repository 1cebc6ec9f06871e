import { isDeepStrictEqual } from "node:util";
import { repeat } from "../../concurrency/repeat.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet, ListedBrowser, Owner } from "../../ports/fleet.ts";
import type { BrowserDetails, FleetStore } from "../../ports/store/fleet-store.ts";
import type { Log } from "../../ports/log.ts";
import type { AccountEvents } from "../store/account-events.ts";

/** How often changes are written, and how often changes to traffic alone are written, in ms. */
const [PERIOD_MS, TRAFFIC_MS] = [1000, 5000];

type DescriptionsNeeds = {
  readonly fleet: Pick<Fleet, "listAll" | "findRecent">;
  readonly store: Pick<FleetStore, "describe">;
  readonly events: Pick<AccountEvents, "emit">;
  readonly clock: Pick<Clock, "after" | "elapsedMs">;
  readonly log: Log;
};

/** A browser's last written details, and when they were written. */
type Written = { readonly details: BrowserDetails; readonly atMs: number };

/** A browser whose details a call is waiting for. */
type Awaited = { readonly owner: Owner; readonly selector: BrowserSelector };

/**
 * Writes the details of this process's browsers to the store, where front-ends read them. Batches changes into one
 * write per second. Disposing stops the writes.
 */
export class Descriptions implements Disposable {
  readonly #needs: DescriptionsNeeds;
  #written = new Map<string, Written>();
  #writes: Disposable | undefined;
  #isAway = false;
  /** Serializes writes. Otherwise, older details could be stored last. */
  #writing: Promise<void> = Promise.resolve();
  /** The browsers that the next write includes, and that write, which calls are waiting for. */
  #awaited: Awaited[] = [];
  #next: Promise<void> | undefined;

  constructor(needs: DescriptionsNeeds) {
    this.#needs = needs;
  }

  start(): void {
    this.#writes = repeat(PERIOD_MS, this.#needs.clock, () => this.#afterOthers(() => this.#writeChanges()));
  }

  [Symbol.dispose](): void {
    this.#writes?.[Symbol.dispose]();
  }

  /**
   * Immediately writes the details of an account's browser. Calls during a write share the next write, so that calls
   * don't wait for all previous commits. Never rejects: after a failure, the next write includes the details.
   */
  write(owner: Owner, selector: BrowserSelector): Promise<void> {
    this.#awaited.push({ owner, selector });
    return (this.#next ??= this.#afterOthers(() => this.#writeAwaited()));
  }

  #afterOthers(write: () => Promise<void>): Promise<void> {
    return (this.#writing = this.#writing.then(write));
  }

  async #writeAwaited(): Promise<void> {
    const awaited = this.#awaited;
    [this.#awaited, this.#next] = [[], undefined];
    const { fleet } = this.#needs;
    const browsers = await Promise.all(awaited.map(({ owner, selector }) => fleet.findRecent(owner, selector)));
    await this.#write(browsers.filter((browser) => browser !== undefined));
  }

  async #writeChanges(): Promise<void> {
    const browsers = await this.#needs.fleet.listAll();
    const open = new Set(browsers.map(({ id }) => id));
    for (const id of this.#written.keys()) if (!open.has(id)) this.#written.delete(id);
    const now = this.#needs.clock.elapsedMs();
    await this.#write(browsers.filter((browser) => isDue(browser, this.#written.get(browser.id), now)));
  }

  async #write(browsers: readonly ListedBrowser[]): Promise<void> {
    const { store, events, clock, log } = this.#needs;
    if (browsers.length === 0) return;
    try {
      await store.describe(new Map(browsers.map((browser) => [browser.id, toDetails(browser)])));
      const atMs = clock.elapsedMs();
      for (const browser of browsers) this.#written.set(browser.id, { details: toDetails(browser), atMs });
      // Notify the pages on other servers, which read the store.
      for (const accountId of new Set(browsers.map((browser) => browser.accountId))) events.emit(accountId);
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway) log.warn("browsers.describe_failed", { error });
      this.#isAway = true;
    }
  }
}

function isDue(browser: ListedBrowser, written: Written | undefined, now: number): boolean {
  if (written === undefined) return true;
  const { traffic, ...details } = toDetails(browser);
  const { traffic: oldTraffic, ...oldDetails } = written.details;
  // isDeepStrictEqual is fast enough for thousands of browsers per second.
  if (!isDeepStrictEqual(details, oldDetails)) return true;
  return now - written.atMs >= TRAFFIC_MS && !isDeepStrictEqual(traffic, oldTraffic);
}

function toDetails(browser: ListedBrowser): BrowserDetails {
  const { proxyHost, hasScreen, desktopPassword, clients, due, keepOpenMs, lifetimeMs, traffic } = browser;
  return { proxyHost, hasScreen, desktopPassword, clients, due, keepOpenMs, lifetimeMs, traffic };
}
