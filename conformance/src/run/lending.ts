import { Places } from "./places.ts";

/** What it takes to lend a browser. */
export type Lendable = {
  /** @returns The address of a new one. */
  open(): Promise<string>;
  /** Whether it is still as good as new. */
  isOpen(address: string): Promise<boolean>;
  /** Undoes what a borrower may have done. */
  tidy(address: string): Promise<void>;
};

/** A browser in somebody's hands; disposing gives it back. */
export type Lent = AsyncDisposable & { readonly address: string };

/** One browser that is lent to one borrower after the other. */
export class Lending {
  readonly #browser: Lendable;
  readonly #turn = new Places(1);
  #address: string | undefined;

  constructor(browser: Lendable) {
    this.#browser = browser;
  }

  /** Waits until it is free. One that has ended in somebody's hands is replaced. */
  async borrow(): Promise<Lent> {
    const turn = await this.#turn.take(1);
    try {
      if (this.#address !== undefined && !(await this.#browser.isOpen(this.#address))) this.#address = undefined;
      const address = (this.#address ??= await this.#browser.open());
      return {
        address,
        [Symbol.asyncDispose]: async () => {
          await this.#browser.tidy(address).catch(() => {});
          turn[Symbol.dispose]();
        },
      };
    } catch (error) {
      turn[Symbol.dispose]();
      throw error;
    }
  }
}
