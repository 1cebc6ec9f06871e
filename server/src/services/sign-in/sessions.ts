import type { Account } from "../../domain/account/account.ts";
import { DAY_MS, HOUR_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SessionStore } from "../../ports/store/session-store.ts";
import { hashToken } from "../accounts/tokens.ts";

/** Sessions end after this time without a page view. */
const IDLE_MS = 7 * DAY_MS;
const LONGEST_MS = 30 * DAY_MS;
/** The minimum extension of a session. Extending it on every page view would cause too many writes. */
const STEP_MS = HOUR_MS;
const SECRET_BYTES = 32;

type SessionsNeeds = {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Buffer;
};

/** The sessions of signed-in users. The secret is in a cookie, and only its hash is stored. */
export class Sessions {
  readonly #needs: SessionsNeeds;

  constructor(needs: SessionsNeeds) {
    this.#needs = needs;
  }

  /** @returns The secret of the new session. */
  async begin(account: Account): Promise<string> {
    const { store, clock, randomBytes } = this.#needs;
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + IDLE_MS);
    await store.add({ hash: hashToken(secret), accountId: account.id, createdAt, expiresAt });
    return secret;
  }

  /** Extends a session. @returns Its account; undefined if the session has ended or the account is disabled. */
  async find(secret: string): Promise<Account | undefined> {
    const { store, clock } = this.#needs;
    const found = await this.#read(secret);
    if (found === undefined) return undefined;
    const { session, account } = found;
    const later = Math.min(clock.now().getTime() + IDLE_MS, session.createdAt.getTime() + LONGEST_MS);
    if (later - session.expiresAt.getTime() >= STEP_MS) await store.extend(session.hash, new Date(later));
    return account;
  }

  /** Whether the session is still valid. Doesn't extend it, so background requests can call it. */
  async isAlive(secret: string): Promise<boolean> {
    return (await this.#read(secret)) !== undefined;
  }

  async end(secret: string): Promise<void> {
    await this.#needs.store.remove(hashToken(secret));
  }

  /** Ends the account's sessions. @param except The secret of a session to keep. */
  async endOthers(account: Account, except: string): Promise<void> {
    await this.#needs.store.removeAll(account.id, hashToken(except));
  }

  async #read(secret: string): ReturnType<SessionStore["find"]> {
    const { store, clock } = this.#needs;
    const found = await store.find(hashToken(secret), clock.now());
    return found?.account.isDisabled === false ? found : undefined;
  }
}
