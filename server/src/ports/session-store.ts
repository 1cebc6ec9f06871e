import type { Account } from "../domain/account/account.ts";

/** A person's stay on the pages, as it is kept: by the hash of the secret in a cookie. */
export type Session = {
  readonly hash: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export interface SessionStore {
  /** Those that have expired go at the same time. */
  add(session: Session): Promise<void>;
  /** With its account; undefined when it is unknown or has expired by then. */
  find(hash: string, now: Date): Promise<{ session: Session; account: Account } | undefined>;
  extend(hash: string, expiresAt: Date): Promise<void>;
  remove(hash: string): Promise<void>;
  /** @param except The hash of one that stays. */
  removeAll(accountId: string, except?: string): Promise<void>;
}
