/** Total weight of an account's sandboxes. */
const SHARE = 10_000;

/** Relative change in an account's sandbox count that triggers an update of the weights. */
const CHANGE = 0.1;

/** An account's sandboxes, and how many of them its share was last divided among. */
type Account = { readonly ids: Set<string>; divisor: number };

/** Divides processor time equally between accounts, and each account's share equally between its sandboxes. */
export class FairShares {
  readonly #accounts = new Map<string, Account>();
  readonly #weigh: (ids: readonly string[], weight: number) => void;

  /** @param weigh Sets the weight of sandboxes. */
  constructor(weigh: (ids: readonly string[], weight: number) => void) {
    this.#weigh = weigh;
  }

  add(name: string, id: string): void {
    const account = this.#accounts.get(name) ?? { ids: new Set(), divisor: 0 };
    this.#accounts.set(name, account);
    account.ids.add(id);
    if (!this.#divide(account)) this.#weigh([id], toWeight(account));
  }

  remove(name: string, id: string): void {
    const account = this.#accounts.get(name);
    if (account === undefined) return;
    account.ids.delete(id);
    if (account.ids.size === 0) this.#accounts.delete(name);
    else this.#divide(account);
  }

  /** @returns False if the number of sandboxes has hardly changed. */
  #divide(account: Account): boolean {
    const { ids, divisor } = account;
    if (Math.abs(ids.size - divisor) <= divisor * CHANGE) return false;
    account.divisor = ids.size;
    this.#weigh([...ids], toWeight(account));
    return true;
  }
}

function toWeight({ divisor }: Account): number {
  return Math.max(1, Math.round(SHARE / divisor));
}
