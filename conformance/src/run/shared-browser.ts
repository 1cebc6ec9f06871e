/** How to open and check a browser that is shared. */
export type BrowserSource = {
  /** @returns The address of a new browser. */
  open(): Promise<string>;
  isOpen(address: string): Promise<boolean>;
};

type Seen = { readonly address: string; readonly seenAt: number };

/** How long to trust that the browser is still open. */
const FRESH_MS = 10_000;

/**
 * One browser that many rules use. It opens on first use, and again if it has closed since then, which the plan
 * may cause.
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
    // If this can't be checked, the rule that uses the browser will notice.
    const isOpen = await this.#browser.isOpen(seen.address).catch(() => true);
    return isOpen ? { ...seen, seenAt: Date.now() } : this.#open();
  }

  async #open(): Promise<Seen> {
    return { address: await this.#browser.open(), seenAt: Date.now() };
  }
}
