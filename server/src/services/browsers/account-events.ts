type Listener = () => void;

/** Tells who looks at an account's browsers that something about them has changed; what, they see by looking. */
export class AccountEvents {
  readonly #listeners = new Map<string | undefined, Set<Listener>>();

  /** Somebody follows an account; undefined: all of them. @returns Stops following. */
  subscribe(accountId: string | undefined, listener: Listener): () => void {
    const followers = this.#listeners.get(accountId) ?? new Set();
    this.#listeners.set(accountId, followers);
    // A listener of its own, so that one who follows twice has to stop twice.
    const own = (): void => listener();
    followers.add(own);
    return () => {
      followers.delete(own);
      if (followers.size === 0 && this.#listeners.get(accountId) === followers) this.#listeners.delete(accountId);
    };
  }

  emit(accountId: string): void {
    for (const followers of [this.#listeners.get(accountId), this.#listeners.get(undefined)])
      for (const listener of followers ?? []) listener();
  }

  /** Accounts that somebody follows. */
  get subscribed(): number {
    return this.#listeners.size;
  }
}
