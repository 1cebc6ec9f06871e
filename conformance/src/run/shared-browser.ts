/** What it takes to share a browser. */
export type BrowserSource = {
  /** @returns The address of a new one. */
  open(): Promise<string>;
  isOpen(address: string): Promise<boolean>;
};

type Seen = { readonly address: string; readonly seenAt: number };

/** So long nobody looks again whether it is still there. */
const FRESH_MS = 10_000;

/** One browser that many look at: opened when the first one asks, and again when it has ended meanwhile, as plans may have it. */
export class SharedBrowser {
  readonly #browser: BrowserSource;
  #last: Promise<Seen> | undefined;

  constructor(browser: BrowserSource) {
    this.#browser = browser;
  }

  /** @returns Its address. Rejects as `open` did. */
  async get(): Promise<string> {
    this.#last = this.#last === undefined ? this.#open() : this.#last.then((seen) => this.#renew(seen));
    return (await this.#last).address;
  }

  async #renew(seen: Seen): Promise<Seen> {
    if (Date.now() - seen.seenAt < FRESH_MS) return seen;
    // Where that can't be told, who uses it will.
    const isOpen = await this.#browser.isOpen(seen.address).catch(() => true);
    return isOpen ? { ...seen, seenAt: Date.now() } : this.#open();
  }

  async #open(): Promise<Seen> {
    return { address: await this.#browser.open(), seenAt: Date.now() };
  }
}
