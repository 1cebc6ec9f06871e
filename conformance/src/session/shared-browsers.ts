import { Semaphore } from "./semaphore.ts";

/** Opens and checks a shared browser. */
type BrowserSource = {
  /** @returns The address of a new browser. */
  open(): Promise<string>;
  isOpen(address: string): Promise<boolean>;
};

type Seen = { readonly address: string; readonly seenAt: number };

/** How long to assume that a browser is still open, in ms. */
const FRESH_MS = 10_000;

/**
 * A browser shared by many rules. It opens on first use, and reopens if it has closed, for example because of the
 * plan's limits.
 */
export class SharedBrowser {
  readonly #browser: BrowserSource;
  #last: Promise<Seen> | undefined;

  constructor(browser: BrowserSource) {
    this.#browser = browser;
  }

  /** @returns The browser's address. Rejects if `open` rejects. */
  async get(): Promise<string> {
    this.#last = this.#last === undefined ? this.#open() : this.#last.then((seen) => this.#renew(seen));
    return (await this.#last).address;
  }

  async #renew(seen: Seen): Promise<Seen> {
    if (Date.now() - seen.seenAt < FRESH_MS) return seen;
    // If the check fails, assume that the browser is open. The rule that uses the browser will notice if it has closed.
    const isOpen = await this.#browser.isOpen(seen.address).catch(() => true);
    return isOpen ? { ...seen, seenAt: Date.now() } : this.#open();
  }

  async #open(): Promise<Seen> {
    return { address: await this.#browser.open(), seenAt: Date.now() };
  }
}

/** Opens, checks and resets a leased browser. */
type LeasableBrowser = BrowserSource & {
  /** Undoes changes made during the last lease. */
  reset(address: string): Promise<void>;
};

/** Exclusive use of a browser. Disposal ends the lease. */
export type Lease = AsyncDisposable & { readonly address: string };

/** A browser that rules lease one at a time. */
export class LeasedBrowser {
  readonly #browser: LeasableBrowser;
  readonly #slot = new Semaphore(1);
  #address: string | undefined;

  constructor(browser: LeasableBrowser) {
    this.#browser = browser;
  }

  /** Waits until the browser is free. Replaces the browser if it has closed. */
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
