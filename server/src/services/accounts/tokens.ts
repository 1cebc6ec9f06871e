import { hash } from "node:crypto";
import { Mutex } from "../../concurrency/mutex.ts";
import type { Account } from "../../domain/account/account.ts";
import { TOKEN_RULE, isToken } from "../../domain/account/token.ts";
import { isVisible } from "../../domain/account/visible-text.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { NewToken, StoredToken, TokenEntry, TokenStore } from "../../ports/store/token-store.ts";
import { AccountError } from "./errors.ts";

/** Delay before token uses are stored, in ms. Unstored uses are lost if the process is killed. */
const RECORD_DELAY_MS = 30_000;
export const MAX_TOKENS = 50;
export const MAX_NAME_LENGTH = 60;

const BYTES = 32;
/** Long enough to recognize a token in a list, but far too short to guess the rest. */
const PREFIX_LENGTH = 8;

type TokensNeeds = {
  readonly store: TokenStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly randomBytes: (length: number) => Buffer;
};

/** Creates, authenticates and revokes API tokens. Disposal stores any token uses that aren't saved yet. */
export class Tokens implements AsyncDisposable {
  readonly #needs: TokensNeeds;
  /** Queries keyed by token hash, kept for one event-loop iteration so that concurrent calls share them. */
  readonly #lookups = new Map<string, Promise<Account | undefined>>();
  /** The last unsaved use of each token, keyed by token hash. */
  #uses = new Map<string, Date>();
  #cancelRecording: (() => void) | undefined;
  readonly #lock = new Mutex();

  constructor(needs: TokensNeeds) {
    this.#needs = needs;
  }

  /** @returns Undefined if the token is unknown, renewed or revoked, or its account is disabled. */
  async authenticate(token: string): Promise<Account | undefined> {
    const tokenHash = hashToken(token);
    const account = await (this.#lookups.get(tokenHash) ?? this.#lookUp(tokenHash));
    if (account === undefined || account.isDisabled) return undefined;
    this.#uses.set(tokenHash, this.#needs.clock.now());
    this.#cancelRecording ??= this.#needs.clock.after(RECORD_DELAY_MS, () => void this.#recordUses());
    return account;
  }

  /** Returns the account's tokens, oldest first, with the most recent use of each. */
  async list(account: Account): Promise<TokenEntry[]> {
    await this.#recordUses();
    return this.#needs.store.list(account.id);
  }

  /**
   * @returns The new token. It can't be shown again, because only its hash is stored.
   * @throws {AccountError} If the name is invalid, or the account has too many tokens.
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
   * @param prefix The token's current prefix, so that a form sent twice doesn't replace the new token.
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

  /** Revokes a token, which stops working immediately. @throws {AccountError} If the account has no such token. */
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
    // Cached for one iteration only: tokens must stop working immediately when another process disables their account.
    if (this.#lookups.size === 0) setImmediate(() => this.#lookups.clear());
    this.#lookups.set(tokenHash, found);
    return found;
  }

  /** Resolves once all uses so far are stored, or the failure is logged. */
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
      // Keeps the failed uses for the next write. Later uses of the same token take precedence.
      this.#uses = new Map([...uses, ...this.#uses]);
    }
  }
}

/** @throws {AccountError} If the name is empty, too long or contains control characters. */
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
  return new AccountError("This token was renewed or revoked, so it no longer exists. Nothing was changed.");
}

/** Returns a new API token: a prefix for secret scanners, followed by 256 random bits. */
export function toToken(randomBytes: (length: number) => Buffer): string {
  return `rbs_${randomBytes(BYTES).toString("base64url")}`;
}

/** @throws {AccountError} If the text can't be a token. */
export function readToken(text: string): string {
  if (isToken(text)) return text;
  throw new AccountError(`A token needs ${TOKEN_RULE}.`);
}

/** Hashes a token. A plain hash is enough, because tokens are long and random. */
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}

function toStoredToken(token: string): StoredToken {
  return { hash: hashToken(token), prefix: token.slice(0, PREFIX_LENGTH) };
}

export function newToken(token: string, entry: Pick<NewToken, "id" | "name" | "createdAt">): NewToken {
  return { ...toStoredToken(token), ...entry };
}
