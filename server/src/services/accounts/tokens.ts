import { hash } from "node:crypto";
import { Mutex } from "../../concurrency/mutex.ts";
import type { Account } from "../../domain/account/account.ts";
import { TOKEN_RULE, isToken } from "../../domain/account/token.ts";
import { isVisible } from "../../domain/account/visible-text.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { NewToken, StoredToken, TokenEntry, TokenStore } from "../../ports/store/token-store.ts";
import { AccountError } from "./errors.ts";

/** Uses are stored after this delay. If the process is killed before, they are lost. */
const RECORD_DELAY_MS = 30_000;
/** Tokens per account. */
export const MAX_TOKENS = 50;
export const MAX_NAME_LENGTH = 60;

const BYTES = 32;
/** Enough to recognize a token in a list, and far too little to guess the rest. */
const PREFIX_LENGTH = 8;

type TokensNeeds = {
  readonly store: TokenStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly randomBytes: (length: number) => Buffer;
};

/** API tokens. Disposing stores the last uses. */
export class Tokens implements AsyncDisposable {
  readonly #needs: TokensNeeds;
  /** By token hash, for one turn of the event loop: concurrent calls share one query. */
  readonly #lookups = new Map<string, Promise<Account | undefined>>();
  /** The last use of each token by hash, until it is stored. */
  #uses = new Map<string, Date>();
  #cancelRecording: (() => void) | undefined;
  readonly #lock = new Mutex();

  constructor(needs: TokensNeeds) {
    this.#needs = needs;
  }

  /** Returns undefined if the token is unknown, renewed or revoked, or its account is disabled. */
  async authenticate(token: string): Promise<Account | undefined> {
    const tokenHash = hashToken(token);
    const account = await (this.#lookups.get(tokenHash) ?? this.#lookUp(tokenHash));
    if (account === undefined || account.isDisabled) return undefined;
    this.#uses.set(tokenHash, this.#needs.clock.now());
    this.#cancelRecording ??= this.#needs.clock.after(RECORD_DELAY_MS, () => void this.#recordUses());
    return account;
  }

  /** The account's tokens, oldest first, with their last use as of now. */
  async list(account: Account): Promise<TokenEntry[]> {
    await this.#recordUses();
    return this.#needs.store.list(account.id);
  }

  /**
   * @returns The new token. Only its hash is stored, so it can't be shown again.
   * @throws {AccountError} If the name is empty, too long or has control characters, or the account has too many
   * tokens.
   */
  async add(account: Account, text: string): Promise<string> {
    const { store, clock, log, newId, randomBytes } = this.#needs;
    const name = readName(text);
    const token = toToken(randomBytes);
    const entry = newToken(token, { id: newId(), name, createdAt: clock.now() });
    if (!(await store.add(account.id, entry, MAX_TOKENS)))
      throw new AccountError(`This account has reached the limit of ${MAX_TOKENS} tokens. Revoke one first.`);
    log.info("token.created", { account: account.id });
    return token;
  }

  /**
   * Replaces a token, which stops working immediately.
   * @param prefix The current prefix of the token: a form that is sent twice doesn't also replace the new token.
   * @throws {AccountError} If the account has no such token.
   */
  async renew(account: Account, tokenId: string, prefix: string): Promise<string> {
    const { store, clock, log, randomBytes } = this.#needs;
    const token = toToken(randomBytes);
    if (!(await store.renew(account.id, tokenId, prefix, toStoredToken(token), clock.now()))) throw noToken();
    this.#lookups.clear();
    log.info("token.renewed", { account: account.id });
    return token;
  }

  /** The token stops working immediately. @throws {AccountError} If the account has no such token. */
  async revoke(account: Account, tokenId: string): Promise<void> {
    if (!(await this.#needs.store.revoke(account.id, tokenId))) throw noToken();
    this.#lookups.clear();
    this.#needs.log.info("token.revoked", { account: account.id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#recordUses();
  }

  #lookUp(tokenHash: string): Promise<Account | undefined> {
    const found = this.#needs.store.findAccount(tokenHash);
    // Not remembered for longer: another process may disable the account, which takes effect immediately.
    if (this.#lookups.size === 0) setImmediate(() => this.#lookups.clear());
    this.#lookups.set(tokenHash, found);
    return found;
  }

  /** Resolves when all uses so far are stored, or the log says why they are not. */
  #recordUses(): Promise<void> {
    this.#cancelRecording?.();
    this.#cancelRecording = undefined;
    return this.#lock.run(() => this.#writeUses());
  }

  async #writeUses(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.#needs.store.recordUses(uses);
    } catch (error) {
      this.#needs.log.error("tokens.note_failed", { tokens: uses.size, error });
      // They are stored with the next uses. A later use of the same token wins.
      this.#uses = new Map([...uses, ...this.#uses]);
    }
  }
}

/** @throws {AccountError} If the name is empty, too long or has control characters. */
function readName(text: string): string {
  const name = text.trim();
  const { length } = Array.from(name);
  if (!isVisible(name)) throw new AccountError("Enter a name for the token.");
  if (length > MAX_NAME_LENGTH)
    throw new AccountError(`A token's name can have up to ${MAX_NAME_LENGTH} characters. This one has ${length}.`);
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name))
    throw new AccountError("A token's name can't contain line breaks or other control characters.");
  return name;
}

function noToken(): AccountError {
  return new AccountError("This token no longer exists: it has been renewed or revoked. Nothing was changed.");
}

/** A new API token: 256 random bits after a prefix that secret scanners can search for. */
export function toToken(randomBytes: (length: number) => Buffer): string {
  return `rbs_${randomBytes(BYTES).toString("base64url")}`;
}

/** @throws {AccountError} If the text can't be a token. */
export function readToken(text: string): string {
  if (isToken(text)) return text;
  throw new AccountError(`A token needs ${TOKEN_RULE}.`);
}

/** A plain hash is enough: a token is long and random, so no dictionary has it. */
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}

function toStoredToken(token: string): StoredToken {
  return { hash: hashToken(token), prefix: token.slice(0, PREFIX_LENGTH) };
}

export function newToken(token: string, entry: Pick<NewToken, "id" | "name" | "createdAt">): NewToken {
  return { ...toStoredToken(token), ...entry };
}
