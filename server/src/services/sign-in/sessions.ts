import type { Account } from "../../domain/account/account.ts";
import { DAY_MS, HOUR_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SessionStore } from "../../ports/store/session-store.ts";
import { hashToken } from "../accounts/tokens.ts";

/** A session's maximum time without a page view, in ms. */
const IDLE_MS = 7 * DAY_MS;
const LONGEST_MS = 30 * DAY_MS;
/** Minimum extension of a session, in ms. Extending a session on every page view would cause too many writes. */
const STEP_MS = HOUR_MS;
const SECRET_BYTES = 32;

type SessionsNeeds = {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Buffer;
};

/** Manages the sessions of signed-in users. A session's secret is in a cookie, and only the secret's hash is stored. */
export class Sessions {
  readonly #needs: SessionsNeeds;

  constructor(needs: SessionsNeeds) {
    this.#needs = needs;
  }

  /** @returns The new session's secret. */
  async begin(account: Account): Promise<string> {
    const { store, clock, randomBytes } = this.#needs;
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + IDLE_MS);
    await store.add({ hash: hashToken(secret), accountId: account.id, createdAt, expiresAt });
    return secret;
  }

  /** Extends a session. @returns The user's account; undefined if it is disabled or the session has ended. */
  async find(secret: string): Promise<Account | undefined> {
    const { store, clock } = this.#needs;
    const found = await this.#read(secret);
    if (found === undefined) return undefined;
    const { session, account } = found;
    const later = Math.min(clock.now().getTime() + IDLE_MS, session.createdAt.getTime() + LONGEST_MS);
    if (later - session.expiresAt.getTime() >= STEP_MS) await store.extend(session.hash, new Date(later));
    return account;
  }

  /** Whether the session is still valid. Doesn't extend the session, so background requests can call this method. */
  async isAlive(secret: string): Promise<boolean> {
    return (await this.#read(secret)) !== undefined;
  }

  async end(secret: string): Promise<void> {
    await this.#needs.store.remove(hashToken(secret));
  }

  /** Ends an account's other sessions. @param except The secret of the session to keep. */
  async endOthers(account: Account, except: string): Promise<void> {
    await this.#needs.store.removeAll(account.id, hashToken(except));
  }

  async #read(secret: string): ReturnType<SessionStore["find"]> {
    const { store, clock } = this.#needs;
    const found = await store.find(hashToken(secret), clock.now());
    return found?.account.isDisabled === false ? found : undefined;
  }
}
