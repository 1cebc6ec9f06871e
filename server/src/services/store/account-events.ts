import type { ChangeFeed } from "../../ports/store/change-feed.ts";

type Listener = () => void;

/** Reports changes to an account's browsers across processes. Listeners read the new state themselves. */
export class AccountEvents {
  readonly #listeners = new Map<string | undefined, Set<Listener>>();
  readonly #feed: ChangeFeed | undefined;

  /** @param feed Undefined if there are no other processes. */
  constructor(feed?: ChangeFeed) {
    this.#feed = feed;
  }

  /** Starts reporting other processes' changes to the listeners. */
  followOthers(): void {
    this.#feed?.listen((accountId) => this.#tell(accountId));
  }

  /** @param accountId Undefined: all accounts. @returns A function that unsubscribes. */
  subscribe(accountId: string | undefined, listener: Listener): () => void {
    const listeners = this.#listeners.get(accountId) ?? new Set();
    this.#listeners.set(accountId, listeners);
    // Wrap the listener, because the same function may be subscribed twice.
    const own = (): void => listener();
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(accountId) === listeners) this.#listeners.delete(accountId);
    };
  }

  emit(accountId: string): void {
    this.#tell(accountId);
    this.#feed?.publish(accountId);
  }

  /** The number of accounts with listeners. */
  get subscribed(): number {
    return this.#listeners.size;
  }

  /** @param accountId Undefined if all accounts may have changed. */
  #tell(accountId: string | undefined): void {
    const ids = accountId === undefined ? [...this.#listeners.keys()] : [accountId, undefined];
    for (const id of ids) for (const listener of this.#listeners.get(id) ?? []) listener();
  }
}
