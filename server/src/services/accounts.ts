import type { Account } from "../domain/account.ts";
import { type Plans, SELF_HOSTED } from "../domain/plan.ts";
import { toPeriod } from "../domain/units.ts";
import type { Clock } from "../ports/clock.ts";
import { type AccountChange, type AccountStore, EmailTaken } from "../ports/store.ts";
import { hashToken, keepToken, toToken } from "./token.ts";

/** A token that people choose themselves must still be long enough that nobody guesses it. */
const MIN_TOKEN_LENGTH = 16;
const TOKEN_BYTES = 32;

/** The account that a first start makes. */
const OPERATOR = "operator@localhost";

/** What a caller got wrong, said for people. */
export class AccountError extends Error {
  override readonly name = "AccountError";
}

export type NewAccount = {
  readonly email: string;
  /** Name of a plan; undefined: no subscription. */
  readonly plan: string | undefined;
  readonly parallel: number | undefined;
  readonly units: number | undefined;
  /** The token to use instead of a new random one. */
  readonly token: string | undefined;
};

/** An account beside what it consumed this month. */
export type AccountReport = Account & { readonly unitsUsed: number; readonly openBrowsers: number };

/** Accounts as an operator keeps them. */
export class Accounts {
  readonly #store: AccountStore;
  readonly #plans: Plans;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #randomBytes: (length: number) => Buffer;

  /** By a token's hash, this turn's of the event loop: calls that came in together ask the books once. */
  readonly #lookups = new Map<string, Promise<Account | undefined>>();

  constructor(needs: {
    store: AccountStore;
    plans: Plans;
    clock: Clock;
    newId: () => string;
    randomBytes: (length: number) => Buffer;
  }) {
    this.#store = needs.store;
    this.#plans = needs.plans;
    this.#clock = needs.clock;
    this.#newId = needs.newId;
    this.#randomBytes = needs.randomBytes;
  }

  /** The account that a token belongs to; undefined for a token that is unknown, renewed or of a disabled account. */
  async authenticate(token: string): Promise<Account | undefined> {
    const hash = hashToken(token);
    const account = await (this.#lookups.get(hash) ?? this.#lookUp(hash));
    return account?.isDisabled === true ? undefined : account;
  }

  /**
   * @returns The account and its token, which is kept only as a hash: it can't be shown again.
   * @throws {AccountError} For an e-mail that is none or taken, an unknown plan, or a token that is too short.
   */
  async create(wanted: NewAccount): Promise<{ account: Account; token: string }> {
    const account: Account = {
      id: this.#newId(),
      email: readEmail(wanted.email),
      plan: this.#readPlan(wanted.plan),
      parallel: wanted.parallel,
      units: wanted.units,
      hasAdditionalUnits: false,
      isDisabled: false,
      createdAt: this.#clock.now(),
    };
    const token = wanted.token === undefined ? this.#newToken() : readToken(wanted.token);
    try {
      await this.#store.create(account, keepToken(token));
    } catch (error) {
      if (error instanceof EmailTaken) throw new AccountError(error.message, { cause: error });
      throw error;
    }
    return { account, token };
  }

  /** Makes the operator's own account in an empty store; undefined when there are accounts. */
  async createFirst(): Promise<{ email: string; token: string } | undefined> {
    if ((await this.#store.list()).length > 0) return undefined;
    const wanted = { email: OPERATOR, plan: SELF_HOSTED.name, parallel: undefined, units: undefined, token: undefined };
    const { token } = await this.create(wanted);
    return { email: OPERATOR, token };
  }

  async list(): Promise<AccountReport[]> {
    const accounts = await this.#store.list();
    return Promise.all(accounts.map((account) => this.#report(account)));
  }

  /** @throws {AccountError} When the account or the plan is unknown. */
  async change(email: string, change: AccountChange): Promise<AccountReport> {
    const account = await this.#find(email);
    if (change.plan !== undefined) this.#readPlan(change.plan ?? undefined);
    await this.#store.change(account.id, change);
    this.#lookups.clear();
    return this.#report(await this.#find(email));
  }

  /** A new token; all earlier ones stop working at once. */
  async renewToken(email: string, chosen: string | undefined): Promise<{ account: Account; token: string }> {
    const account = await this.#find(email);
    const token = chosen === undefined ? this.#newToken() : readToken(chosen);
    await this.#store.replaceToken(account.id, keepToken(token), this.#clock.now());
    this.#lookups.clear();
    return { account, token };
  }

  #lookUp(hash: string): Promise<Account | undefined> {
    const found = this.#store.findByToken(hash);
    // Kept no longer: another process may disable the account, and that counts at once.
    if (this.#lookups.size === 0) setImmediate(() => this.#lookups.clear());
    this.#lookups.set(hash, found);
    return found;
  }

  async #report(account: Account): Promise<AccountReport> {
    const usage = await this.#store.usage(account.id, toPeriod(this.#clock.now()));
    return { ...account, unitsUsed: usage.units, openBrowsers: usage.openBrowsers };
  }

  async #find(email: string): Promise<Account> {
    const account = await this.#store.findByEmail(email);
    if (account === undefined) throw new AccountError(`There is no account with the e-mail ${email}.`);
    return account;
  }

  #newToken(): string {
    return toToken(this.#randomBytes(TOKEN_BYTES));
  }

  #readPlan(name: string | undefined): string | undefined {
    if (name === undefined || this.#plans.has(name)) return name;
    const known = [...this.#plans.keys()].join(", ");
    throw new AccountError(`There is no plan ${JSON.stringify(name)}; there are: ${known}, and none.`);
  }
}

function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254) return text;
  throw new AccountError(`${JSON.stringify(text)} is not an e-mail address.`);
}

function readToken(text: string): string {
  // RFC 6750 section 2.1: the characters that a bearer token may have.
  if (text.length >= MIN_TOKEN_LENGTH && /^[\w.~+/-]+=*$/.test(text)) return text;
  throw new AccountError(`A token has at least ${MIN_TOKEN_LENGTH} characters: letters, digits and -._~+/ only.`);
}
