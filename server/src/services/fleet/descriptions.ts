import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet, ListedBrowser, Owner } from "../../ports/fleet.ts";
import type { BrowserDetails, FleetStore } from "../../ports/fleet-store.ts";
import type { Log } from "../../ports/log.ts";
import type { AccountEvents } from "../browsers/account-events.ts";

/** How often changes are written, and how often those of traffic alone are, in ms. */
const [PERIOD_MS, TRAFFIC_MS] = [1000, 5000];

type Needs = {
  readonly fleet: Pick<Fleet, "listAll" | "findRecent">;
  readonly store: Pick<FleetStore, "describe">;
  readonly events: Pick<AccountEvents, "emit">;
  readonly clock: Pick<Clock, "after" | "elapsedMs">;
  readonly log: Log;
};

/** What was last written about a browser. */
type Written = { readonly text: string; readonly traffic: string; readonly atMs: number };

/**
 * Writes what this process knows of its browsers to the store, where front-ends read it: changes of all browsers together, once a
 * second. Disposing stops it.
 */
export class Descriptions implements Disposable {
  readonly #needs: Needs;
  #written = new Map<string, Written>();
  #cancel: () => void = () => {};
  #isStopped = false;
  #isAway = false;
  /** One write at a time: of two at the same time, the older details could be stored last. */
  #writing: Promise<void> = Promise.resolve();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#needs.clock.after(
      PERIOD_MS,
      () => void this.#afterOthers(() => this.#writeChanges()).finally(() => this.start()),
    );
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Writes the details of an account's browser now. Never rejects: if this fails, they are written with the others. */
  write(owner: Owner, selector: BrowserSelector): Promise<void> {
    return this.#afterOthers(async () => {
      const browser = await this.#needs.fleet.findRecent(owner, selector);
      if (browser !== undefined) await this.#write([browser]);
    });
  }

  #afterOthers(write: () => Promise<void>): Promise<void> {
    return (this.#writing = this.#writing.then(write));
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
      for (const browser of browsers) this.#written.set(browser.id, { ...toTexts(browser), atMs });
      // Pages on other servers read the store.
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
  const { text, traffic } = toTexts(browser);
  return text !== written.text || (traffic !== written.traffic && now - written.atMs >= TRAFFIC_MS);
}

function toTexts(browser: ListedBrowser): Pick<Written, "text" | "traffic"> {
  const { traffic, ...details } = toDetails(browser);
  return { text: JSON.stringify(details), traffic: JSON.stringify(traffic) };
}

function toDetails(browser: ListedBrowser): BrowserDetails {
  const { proxyHost, hasScreen, desktopPassword, clients, due, keepOpenMs, lifetimeMs, traffic } = browser;
  return { proxyHost, hasScreen, desktopPassword, clients, due, keepOpenMs, lifetimeMs, traffic };
}
