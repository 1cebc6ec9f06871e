import { Semaphore } from "./semaphore.ts";

/** What it takes to lend a browser. */
export type LeasableBrowser = {
  /** @returns The address of a new one. */
  open(): Promise<string>;
  /** Whether it is still as good as new. */
  isOpen(address: string): Promise<boolean>;
  /** Undoes what a borrower may have done. */
  reset(address: string): Promise<void>;
};

/** A browser in somebody's hands; disposing gives it back. */
export type Lease = AsyncDisposable & { readonly address: string };

/** One browser that is lease to one borrower after the other. */
export class LeasedBrowser {
  readonly #browser: LeasableBrowser;
  readonly #turn = new Semaphore(1);
  #address: string | undefined;

  constructor(browser: LeasableBrowser) {
    this.#browser = browser;
  }

  /** Waits until it is free. One that has ended in somebody's hands is replaced. */
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
