import { Semaphore } from "./semaphore.ts";
import type { BrowserSource } from "./shared-browser.ts";

/** How to open, check and reset the browser that is leased. */
export type LeasableBrowser = BrowserSource & {
  /** Undoes what the last holder of the lease may have changed. */
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

  /** Waits until the browser is free. A browser that has closed is replaced. */
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
