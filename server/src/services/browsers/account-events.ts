type Listener = () => void;

/** Reports that an account's browsers have changed. Listeners read the new state themselves. */
export class AccountEvents {
  readonly #listeners = new Map<string | undefined, Set<Listener>>();

  /** @param accountId Undefined: all accounts. @returns Unsubscribes. */
  subscribe(accountId: string | undefined, listener: Listener): () => void {
    const listeners = this.#listeners.get(accountId) ?? new Set();
    this.#listeners.set(accountId, listeners);
    // The same function may be subscribed twice, and is then unsubscribed twice.
    const own = (): void => listener();
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(accountId) === listeners) this.#listeners.delete(accountId);
    };
  }

  emit(accountId: string): void {
    for (const listeners of [this.#listeners.get(accountId), this.#listeners.get(undefined)])
      for (const listener of listeners ?? []) listener();
  }

  /** Accounts with listeners. */
  get subscribed(): number {
    return this.#listeners.size;
  }
}
