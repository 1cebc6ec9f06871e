import { Semaphore } from "./semaphore.ts";

/** Opens and checks a shared browser. */
type BrowserSource = {
  /** @returns The address of a new browser. */
  open(): Promise<string>;
  isOpen(address: string): Promise<boolean>;
};

type Seen = { readonly address: string; readonly seenAt: number };

/** How long to trust that the browser is still open. */
const FRESH_MS = 10_000;

/**
 * One browser that many rules use. It opens on first use, and again if it has closed since, which the plan's limits may
 * cause.
 */
export class SharedBrowser {
  readonly #browser: BrowserSource;
  #last: Promise<Seen> | undefined;

  constructor(browser: BrowserSource) {
    this.#browser = browser;
  }

  /** @returns Its address. Rejects if `open` rejects. */
  async get(): Promise<string> {
    this.#last = this.#last === undefined ? this.#open() : this.#last.then((seen) => this.#renew(seen));
    return (await this.#last).address;
  }

  async #renew(seen: Seen): Promise<Seen> {
    if (Date.now() - seen.seenAt < FRESH_MS) return seen;
    // If the check fails, the rule that uses the browser will notice.
    const isOpen = await this.#browser.isOpen(seen.address).catch(() => true);
    return isOpen ? { ...seen, seenAt: Date.now() } : this.#open();
  }

  async #open(): Promise<Seen> {
    return { address: await this.#browser.open(), seenAt: Date.now() };
  }
}

/** Opens, checks and resets a leased browser. */
type LeasableBrowser = BrowserSource & {
  /** Undoes changes of the last lease. */
  reset(address: string): Promise<void>;
};

/** Exclusive use of a browser. Disposing ends the lease. */
export type Lease = AsyncDisposable & { readonly address: string };

/** One browser that rules lease one after the other. */
export class LeasedBrowser {
  readonly #browser: LeasableBrowser;
  readonly #slot = new Semaphore(1);
  #address: string | undefined;

  constructor(browser: LeasableBrowser) {
    this.#browser = browser;
  }

  /** Waits until the browser is free. Replaces it if it has closed. */
  async lease(): Promise<Lease> {
    const slot = await this.#slot.acquire(1);
    try {
      if (this.#address !== undefined && !(await this.#browser.isOpen(this.#address))) this.#address = undefined;
      const address = (this.#address ??= await this.#browser.open());
      return {
        address,
        [Symbol.asyncDispose]: async () => {
          await this.#browser.reset(address).catch(() => {});
          slot[Symbol.dispose]();
        },
      };
    } catch (error) {
      slot[Symbol.dispose]();
      throw error;
    }
  }
}
