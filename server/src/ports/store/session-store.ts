import type { Account } from "../../domain/account/account.ts";

/** A session of a signed-in user. The cookie has the secret, and the store only its hash. */
type Session = {
  readonly hash: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export interface SessionStore {
  /** Also removes expired sessions. */
  add(session: Session): Promise<void>;
  /** Returns undefined if the session is unknown or expired. */
  find(hash: string, now: Date): Promise<{ session: Session; account: Account } | undefined>;
  extend(hash: string, expiresAt: Date): Promise<void>;
  remove(hash: string): Promise<void>;
  /** @param except The hash of a session to keep. */
  removeAll(accountId: string, except?: string): Promise<void>;
}
