import { Mutex } from "../../concurrency/mutex.ts";
import type { Account } from "../../domain/account/account.ts";
import { isVisible } from "../../domain/account/visible-text.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { TokenEntry, TokenStore } from "../../ports/token-store.ts";
import { AccountError } from "./account-error.ts";
import { hashToken, toStoredToken, newToken, toToken } from "./token.ts";

/** How long a token's use may take to get into the books; when the process is killed before, it is forgotten. */
const NOTE_MS = 30_000;
/** Tokens that an account may have: nobody means to have more, and each is a way in. */
export const MAX_TOKENS = 50;
export const MAX_NAME_LENGTH = 60;

type Needs = {
  readonly store: TokenStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly randomBytes: (length: number) => Buffer;
};

/** API tokens as their owners keep them. Disposing notes the last uses. */
export class Tokens implements AsyncDisposable {
  readonly #needs: Needs;
  /** By a token's hash, this turn's of the event loop: calls that came in together ask the books once. */
  readonly #lookups = new Map<string, Promise<Account | undefined>>();
  /** When tokens were used last, by hash, as far as the books don't say it yet. */
  #uses = new Map<string, Date>();
  #cancelNote: (() => void) | undefined;
  readonly #lock = new Mutex();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** The account that a token belongs to; undefined for a token that is unknown, renewed or of a disabled account. */
  async authenticate(token: string): Promise<Account | undefined> {
    const hash = hashToken(token);
    const account = await (this.#lookups.get(hash) ?? this.#lookUp(hash));
    if (account === undefined || account.isDisabled) return undefined;
    this.#uses.set(hash, this.#needs.clock.now());
    this.#cancelNote ??= this.#needs.clock.after(NOTE_MS, () => void this.#noteUses());
    return account;
  }

  /** The account's tokens that work, the first made first; each with its last use as of now. */
  async list(account: Account): Promise<TokenEntry[]> {
    await this.#noteUses();
    return this.#needs.store.list(account.id);
  }

  /** @returns The new token, which is kept only as a hash: it can't be shown again. @throws {AccountError} For a name that is none. */
  async add(account: Account, text: string): Promise<string> {
    const { store, clock, log, newId, randomBytes } = this.#needs;
    const name = readName(text);
    const token = toToken(randomBytes);
    const entry = newToken(token, { id: newId(), name, createdAt: clock.now() });
    if (!(await store.add(account.id, entry, MAX_TOKENS)))
      throw new AccountError(`This account has ${MAX_TOKENS} tokens, the most there can be: revoke one first.`);
    log.info("token.created", { account: account.id });
    return token;
  }

  /**
   * Puts a new token in the place of one, which stops working at once.
   * @param prefix Of the one that is meant: who sends the same wish twice does not lose what the first gave.
   * @throws {AccountError} When there is none.
   */
  async renew(account: Account, tokenId: string, prefix: string): Promise<string> {
    const { store, clock, log, randomBytes } = this.#needs;
    const token = toToken(randomBytes);
    if (!(await store.renew(account.id, tokenId, prefix, toStoredToken(token), clock.now()))) throw noToken();
    this.#lookups.clear();
    log.info("token.renewed", { account: account.id });
    return token;
  }

  /** From now on it opens nothing. @throws {AccountError} When there is none. */
  async revoke(account: Account, tokenId: string): Promise<void> {
    if (!(await this.#needs.store.revoke(account.id, tokenId))) throw noToken();
    this.#lookups.clear();
    this.#needs.log.info("token.revoked", { account: account.id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#noteUses();
  }

  #lookUp(hash: string): Promise<Account | undefined> {
    const found = this.#needs.store.findAccount(hash);
    // Kept no longer: another process may disable the account, and that counts at once.
    if (this.#lookups.size === 0) setImmediate(() => this.#lookups.clear());
    this.#lookups.set(hash, found);
    return found;
  }

  /** Resolves when all uses so far are in the books, or the log says why not. */
  #noteUses(): Promise<void> {
    this.#cancelNote?.();
    this.#cancelNote = undefined;
    return this.#lock.run(() => this.#writeUses());
  }

  async #writeUses(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.#needs.store.noteUses(uses);
    } catch (error) {
      this.#needs.log.error("tokens.note_failed", { tokens: uses.size, error });
      // With the next use they are tried again, unless there is a later one by then.
      this.#uses = new Map([...uses, ...this.#uses]);
    }
  }
}

/** @throws {AccountError} For one that could not be told from others in a list, or does not fit there. */
function readName(text: string): string {
  const name = text.trim();
  const { length } = Array.from(name);
  if (!isVisible(name)) throw new AccountError("A token needs a name: call it for what will use it.");
  if (length > MAX_NAME_LENGTH) {
    throw new AccountError(`A token's name has ${MAX_NAME_LENGTH} characters at most, and this one has ${length}.`);
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name)) {
    throw new AccountError("A token's name is one line: it has line breaks or other control characters in it.");
  }
  return name;
}

function noToken(): AccountError {
  return new AccountError(
    "Nothing was changed: that token was renewed or revoked before, or never was one of this account.",
  );
}
