import type { Account } from "../../domain/account/account.ts";
import { readEmail } from "../../domain/account/email.ts";
import { findPasswordFault } from "../../domain/account/password.ts";
import { type Plans, SELF_HOSTED } from "../../domain/plan/plan.ts";
import { toPeriod } from "../../domain/plan/units.ts";
import {
  type AccountChange,
  type AccountReport,
  type AccountStore,
  EmailTaken,
} from "../../ports/store/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PasswordHasher } from "../../ports/password-hasher.ts";
import type { SessionStore } from "../../ports/store/session-store.ts";
import type { NewToken, TokenStore } from "../../ports/store/token-store.ts";
import type { UsageStore } from "../../ports/store/usage-store.ts";
import { AccountError, orBusy } from "./errors.ts";
import { newToken, readToken, toToken } from "./tokens.ts";

/** 32 letters and digits that look different in every font. 32 divides 256, so all characters are equally likely. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const PASSWORD_LENGTH = 20;
/** The number of random characters in the first operator's name, so that strangers can't try passwords for it. */
const NAME_LENGTH = 8;

export type NewAccount = {
  readonly email: string;
  /** A plan's name; undefined: no subscription. */
  readonly plan: string | undefined;
  readonly parallel?: number | undefined;
  readonly units?: number | undefined;
  /** A chosen token, used instead of a random one. */
  readonly token?: string | undefined;
  readonly isOperator?: boolean;
};

/** A new account and its secrets, which can't be shown again because only their hashes are stored. */
export type CreatedAccount = { readonly account: Account; readonly token: string; readonly password: string };

export type FirstAccount = {
  readonly email: string;
  /** Undefined if the operator chose the secrets. */
  readonly secrets: { readonly token: string; readonly password: string } | undefined;
};

/** The operator's choices for the first account. */
type ChosenAccount = {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
};

/** An account's email, case-insensitive, or its id. */
type AccountKey = string | Pick<Account, "id">;

type AccountsNeeds = {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly usage: UsageStore;
  readonly hasher: PasswordHasher;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly randomBytes: (length: number) => Buffer;
};

/** Creates, lists, changes and erases accounts. Every method throws an `AccountError` if the account doesn't exist. */
export class Accounts {
  readonly #needs: AccountsNeeds;

  constructor(needs: AccountsNeeds) {
    this.#needs = needs;
  }

  /**
   * Creates an account for someone else, with a random password.
   * @throws {AccountError} If the email is invalid or taken, the plan is unknown, or the token is too short.
   * @throws {BusyError} If too many passwords are waiting to be hashed.
   */
  async create(request: NewAccount): Promise<CreatedAccount> {
    const { randomBytes, newId } = this.#needs;
    const token = request.token === undefined ? toToken(randomBytes) : readToken(request.token);
    const password = toPassword(randomBytes);
    const account = this.#toAccount(request);
    const first = newToken(token, { id: newId(), name: "first", createdAt: account.createdAt });
    await this.#add(account, password, first);
    return { account, token, password };
  }

  /**
   * Creates an account for a user who signs up, without a plan, token or operator rights.
   * @throws {AccountError} If the email is invalid or taken, or the password is easy to guess.
   * @throws {BusyError} If too many passwords are waiting to be hashed.
   */
  async signUp(email: string, password: string): Promise<Account> {
    checkSignUp(email, password);
    const account = this.#toAccount({ email, plan: undefined });
    await this.#add(account, password, undefined);
    return account;
  }

  /**
   * Creates the first operator's account if there are no accounts yet.
   * @param chosen A chosen password or token replaces both random secrets. The other secret can be set later from the
   * command line. If no email is chosen, a random one is used.
   * @returns The account with its random secrets, if any; undefined if any account exists.
   */
  async createFirst(chosen: ChosenAccount = {}): Promise<FirstAccount | undefined> {
    const { accounts, newId, randomBytes, hasher } = this.#needs;
    if (!(await accounts.isEmpty())) return undefined;
    const isRandom = chosen.password === undefined && chosen.token === undefined;
    const { password, token } = isRandom ? { password: toPassword(randomBytes), token: toToken(randomBytes) } : chosen;
    const email = chosen.email ?? `operator-${toLetters(randomBytes(NAME_LENGTH))}@localhost`;
    const account = this.#toAccount({ email, plan: SELF_HOSTED.name, isOperator: true });
    const entry = { id: newId(), name: "first", createdAt: account.createdAt };
    const isFirst = await accounts.createFirst(account, {
      passwordHash: password === undefined ? undefined : await orBusy(hasher.hash(password)),
      token: token === undefined ? undefined : newToken(token, entry),
    });
    if (!isFirst) return undefined;
    const secrets = isRandom && token !== undefined && password !== undefined ? { token, password } : undefined;
    return { email: account.email, secrets };
  }

  /** Returns all accounts, oldest first. */
  list(): Promise<AccountReport[]> {
    return this.#needs.accounts.all(this.#period);
  }

  async report(key: AccountKey): Promise<AccountReport> {
    const account = await this.#find(key);
    const { units, openBrowsers } = await this.#needs.usage.month(account.id, this.#period);
    return { ...account, unitsUsed: units, openBrowsers };
  }

  /** @throws {AccountError} If the plan is unknown. */
  async change(key: AccountKey, change: AccountChange): Promise<AccountReport> {
    const account = await this.#find(key);
    if (change.plan !== undefined) this.#readPlan(change.plan ?? undefined);
    await this.#needs.accounts.change(account.id, change);
    return this.#afterChange(account, change);
  }

  /** Like `change`, but throws an `AccountError` instead of changing the last operator who can sign in. */
  async changeIfOperatorStays(key: AccountKey, change: AccountChange): Promise<AccountReport> {
    const account = await this.#find(key);
    if (!(await this.#needs.accounts.changeIfOperatorStays(account.id, change))) throw lastOperator(account);
    return this.#afterChange(account, change);
  }

  /** Returns the only operator's email. @throws {AccountError} If the number of operators isn't one. */
  async onlyOperator(): Promise<string> {
    const operators = (await this.list()).filter(({ isOperator }) => isOperator);
    const [only, ...others] = operators.map(({ email }) => email);
    if (only !== undefined && others.length === 0) return only;
    const found = only === undefined ? "There is no operator." : `There are ${operators.length} operators.`;
    throw new AccountError(`${found} Set --email to the email address of an account.`);
  }

  hasOperator(): Promise<boolean> {
    return this.#needs.accounts.hasOtherOperator("");
  }

  /** Whether no other operator can sign in. */
  async isLastOperator({ id, isOperator }: Account): Promise<boolean> {
    return isOperator && !(await this.#needs.accounts.hasOtherOperator(id));
  }

  /**
   * Replaces all of the account's tokens with a new one.
   * @param chosen Replaces the random token.
   * @throws {AccountError} If the chosen token is too short.
   */
  async renewToken(key: AccountKey, chosen?: string): Promise<{ account: Account; token: string }> {
    const { tokens, randomBytes, newId, clock } = this.#needs;
    const account = await this.#find(key);
    const token = chosen === undefined ? toToken(randomBytes) : readToken(chosen);
    const entry = { id: newId(), name: "from the operator", createdAt: clock.now() };
    await tokens.replaceAll(account.id, newToken(token, entry));
    return { account, token };
  }

  /**
   * Sets a random password and ends all sessions. @throws {BusyError} If too many passwords are waiting to be hashed.
   */
  async resetPassword(key: AccountKey): Promise<{ account: Account; password: string }> {
    const { accounts, hasher, randomBytes } = this.#needs;
    const account = await this.#find(key);
    const password = toPassword(randomBytes);
    await accounts.setPasswordHash(account.id, await orBusy(hasher.hash(password)));
    return { account, password };
  }

  /** Erases all personal data. The units remain in the ledger. A running server closes the account's browsers. */
  async erase(key: AccountKey): Promise<Account> {
    const account = await this.#find(key);
    await this.#needs.accounts.erase(account.id, this.#needs.clock.now());
    return account;
  }

  /**
   * Like `erase`, but refuses to erase the last operator who can sign in. A failure leaves the account unchanged.
   * @throws {AccountError} If the account belongs to the last operator.
   */
  async eraseIfOperatorStays(account: Account): Promise<void> {
    const { accounts } = this.#needs;
    await using undo = new AsyncDisposableStack();
    if (account.isOperator) {
      // Disables the account first, in one statement, so that the last two operators can't both delete their accounts.
      if (!(await accounts.changeIfOperatorStays(account.id, { isDisabled: true }))) throw lastOperator(account);
      undo.defer(() => accounts.change(account.id, { isDisabled: false }));
    }
    await this.erase(account);
    undo.move();
  }

  get #period(): string {
    return toPeriod(this.#needs.clock.now());
  }

  #toAccount({ email, plan, parallel, units, isOperator }: Omit<NewAccount, "token">): Account {
    const { newId, clock } = this.#needs;
    return {
      id: newId(),
      email: readEmailOrThrow(email),
      plan: this.#readPlan(plan),
      parallel,
      units,
      hasAdditionalUnits: false,
      isDisabled: false,
      isOperator: isOperator ?? false,
      createdAt: clock.now(),
      version: 0,
    };
  }

  async #add(account: Account, password: string, token: NewToken | undefined): Promise<void> {
    const { accounts, hasher } = this.#needs;
    const passwordHash = await orBusy(hasher.hash(password));
    try {
      await accounts.create(account, { passwordHash, token });
    } catch (error) {
      if (error instanceof EmailTaken) throw new AccountError(error.message, { field: "email", cause: error });
      throw error;
    }
  }

  async #afterChange(account: Account, { isDisabled }: AccountChange): Promise<AccountReport> {
    // Users must sign in again after their account is re-enabled.
    if (isDisabled === true) await this.#needs.sessions.removeAll(account.id);
    return this.report(account);
  }

  async #find(key: AccountKey): Promise<Account> {
    const { accounts } = this.#needs;
    const account = await (typeof key === "string" ? accounts.findByEmail(key) : accounts.find(key.id));
    if (account !== undefined) return account;
    throw new AccountError(
      typeof key === "string" ? `There is no account with the email address ${key}.` : "This account no longer exists.",
    );
  }

  #readPlan(name: string | undefined): string | undefined {
    const { plans } = this.#needs;
    if (name === undefined || plans.has(name)) return name;
    const known = [...plans.keys(), "none"].join(", ");
    throw new AccountError(`There is no plan ${JSON.stringify(name)}. Choose one of: ${known}.`, { field: "plan" });
  }
}

/** Checks a sign-up's email and password without querying accounts. @throws {AccountError} If either is invalid. */
export function checkSignUp(email: string, password: string): void {
  checkPassword(password, readEmailOrThrow(email), "password");
}

/** @throws {AccountError} If the password is too short, too long or easy to guess. */
export function checkPassword(password: string, email: string, field: "password" | "newPassword"): void {
  const fault = findPasswordFault(password, email);
  if (fault !== undefined) throw new AccountError(fault, { field });
}

function readEmailOrThrow(text: string): string {
  const email = readEmail(text);
  if (email !== undefined) return email;
  throw new AccountError(`${JSON.stringify(text)} is not a valid email address.`, { field: "email" });
}

function lastOperator({ email }: Account): AccountError {
  return new AccountError(`${email} is the last operator who can sign in. Make another account an operator first.`);
}

/** Returns a random 100-bit password that is easy to read and type: `x7k2m-p9rtw-…`. */
function toPassword(randomBytes: (length: number) => Buffer): string {
  return toLetters(randomBytes(PASSWORD_LENGTH)).replaceAll(/.{5}(?=.)/g, "$&-");
}

function toLetters(bytes: Buffer): string {
  return [...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}
