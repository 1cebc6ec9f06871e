import { Semaphore } from "./semaphore.ts";

/** How to open, check and reset the browser that is leased. */
export type LeasableBrowser = {
  /** @returns The address of a new browser. */
  open(): Promise<string>;
  /** Whether the browser is still open. */
  isOpen(address: string): Promise<boolean>;
  /** Undoes what the last holder of the lease may have changed. */
  reset(address: string): Promise<void>;
};

/** Exclusive use of a browser. Disposing ends the lease. */
export type Lease = AsyncDisposable & { readonly address: string };

/** One browser that rules lease one after the other. */
export class LeasedBrowser {
  readonly #browser: LeasableBrowser;
  readonly #turn = new Semaphore(1);
  #address: string | undefined;

  constructor(browser: LeasableBrowser) {
    this.#browser = browser;
  }

  /** Waits until the browser is free. A browser that has closed is replaced. */
  async leaseBrowser(): Promise<Lease> {
    const turn = await this.#turn.acquire(1);
    try {
      if (this.#address !== undefined && !(await this.#browser.isOpen(this.#address))) this.#address = undefined;
      const address = (this.#address ??= await this.#browser.open());
      return {
        address,
        [Symbol.asyncDispose]: async () => {
          await this.#browser.reset(address).catch(() => {});
          turn[Symbol.dispose]();
        },
      };
    } catch (error) {
      turn[Symbol.dispose]();
      throw error;
    }
  }
}
