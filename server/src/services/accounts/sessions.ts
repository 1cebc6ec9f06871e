import { hash } from "node:crypto";
import type { Account } from "../../domain/account/account.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SessionStore } from "../../ports/session-store.ts";

const DAY_MS = 86_400_000;
/** Without a visit, a session ends after this. */
const IDLE_MS = 7 * DAY_MS;
/** However often it is visited, it ends after this. */
const LONGEST_MS = 30 * DAY_MS;
/** An end is put off when this much more can be had by it: not at each visit, since each would be a write. */
const STEP_MS = 3_600_000;
const SECRET_BYTES = 32;

type Needs = {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Buffer;
};

/** Who is signed in on the pages, by a secret that their browser keeps. */
export class Sessions {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** @returns The secret of a session that never was before. */
  async begin(account: Account): Promise<string> {
    const { store, clock, randomBytes } = this.#needs;
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + IDLE_MS);
    await store.add({ hash: hashSecret(secret), accountId: account.id, createdAt, expiresAt });
    return secret;
  }

  /** The account that is signed in; undefined when nobody is any more, or the account is disabled. Puts the end off. */
  async find(secret: string): Promise<Account | undefined> {
    const { store, clock } = this.#needs;
    const found = await this.#read(secret);
    if (found === undefined) return undefined;
    const { session, account } = found;
    const later = Math.min(clock.now().getTime() + IDLE_MS, session.createdAt.getTime() + LONGEST_MS);
    if (later - session.expiresAt.getTime() >= STEP_MS) await store.extend(session.hash, new Date(later));
    return account;
  }

  /** Whether somebody is signed in by it still. For what goes on by itself: it is no visit, and puts nothing off. */
  async isAlive(secret: string): Promise<boolean> {
    return (await this.#read(secret)) !== undefined;
  }

  async end(secret: string): Promise<void> {
    await this.#needs.store.remove(hashSecret(secret));
  }

  /** Ends all of an account's. @param except The secret of one that stays. */
  async endAll(account: Account, except?: string): Promise<void> {
    await this.#needs.store.removeAll(account.id, except === undefined ? undefined : hashSecret(except));
  }

  async #read(secret: string): ReturnType<SessionStore["find"]> {
    const { store, clock } = this.#needs;
    const found = await store.find(hashSecret(secret), clock.now());
    return found?.account.isDisabled === false ? found : undefined;
  }
}

// Random and long, as tokens are: a plain hash keeps it.
function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}
