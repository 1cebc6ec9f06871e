import type { Account } from "../../domain/account/account.ts";

/** A signed-in user's session. The cookie contains the secret; the store contains only its hash. */
type Session = {
  readonly hash: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export interface SessionStore {
  /** Adds a session, and removes expired sessions. */
  add(session: Session): Promise<void>;
  /** @returns Undefined if the session is unknown or expired. */
  find(hash: string, now: Date): Promise<{ session: Session; account: Account } | undefined>;
  extend(hash: string, expiresAt: Date): Promise<void>;
  remove(hash: string): Promise<void>;
  /** @param except The hash of a session to keep. */
  removeAll(accountId: string, except?: string): Promise<void>;
}
