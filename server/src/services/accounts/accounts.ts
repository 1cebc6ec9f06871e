import type { Account } from "../../domain/account/account.ts";
import { type Plans, SELF_HOSTED } from "../../domain/account/plan.ts";
import { toPeriod } from "../../domain/account/units.ts";
import type { AccountDirectory, AccountReport } from "../../ports/account-directory.ts";
import { type AccountChange, type AccountStore, EmailTaken } from "../../ports/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PasswordHasher } from "../../ports/password-hasher.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import type { NewToken, TokenStore } from "../../ports/token-store.ts";
import type { UsageStore } from "../../ports/usage-store.ts";
import { readEmailOrRefuse, refuseWeak } from "./account-entry.ts";
import { AccountError, UnknownPlan } from "./account-error.ts";
import { orBusy } from "./busy-error.ts";
import { toPassword } from "./new-password.ts";
import { FIRST_TOKEN, OPERATORS_TOKEN, newToken, readToken, toToken } from "./token.ts";

export type { AccountReport };

/** The account that a first start makes. */
const OPERATOR = "operator@localhost";

export type NewAccount = {
  readonly email: string;
  /** Name of a plan; undefined: no subscription. */
  readonly plan: string | undefined;
  readonly parallel: number | undefined;
  readonly units: number | undefined;
  /** The token to use instead of a new random one. */
  readonly token: string | undefined;
  readonly isOperator?: boolean;
};

/** An account, and what it gets in with: both are kept only as hashes, and can't be shown again. */
export type MadeAccount = { readonly account: Account; readonly token: string; readonly password: string };

/** Which account: by its e-mail, in any case, or by its id. */
export type Whose = string | Pick<Account, "id">;

type Needs = {
  readonly accounts: AccountStore;
  readonly directory: AccountDirectory;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly usage: UsageStore;
  readonly hasher: PasswordHasher;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly randomBytes: (length: number) => Buffer;
};

/** Accounts as people make them, and as an operator keeps them. Whatever is asked about an account that is not there throws an `AccountError`. */
export class Accounts {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /**
   * @throws {AccountError} For an e-mail that is none or taken, an unknown plan, or a token that is too short.
   * @throws {BusyError} When too many passwords wait already.
   */
  async create(wanted: NewAccount): Promise<MadeAccount> {
    const { randomBytes, newId } = this.#needs;
    const token = wanted.token === undefined ? toToken(randomBytes) : readToken(wanted.token);
    const password = toPassword(randomBytes);
    const account = this.#toAccount(wanted);
    const first = newToken(token, { id: newId(), name: FIRST_TOKEN, createdAt: account.createdAt });
    await this.#add(account, password, first);
    return { account, token, password };
  }

  /**
   * Makes an account as people make their own: without a plan, a token or rights.
   * @throws {AccountError} For an e-mail that is none or taken, or a password that is easily guessed.
   * @throws {BusyError} When too many passwords wait already.
   */
  async signUp(email: string, password: string): Promise<Account> {
    const account = this.#toAccount({ email, plan: undefined, parallel: undefined, units: undefined });
    refuseWeak(password, account.email);
    await this.#add(account, password, undefined);
    return account;
  }

  /** Makes the operator's own account in an empty store; undefined when there are accounts. */
  async createFirst(): Promise<{ email: string; token: string; password: string } | undefined> {
    if (!(await this.#needs.accounts.isEmpty())) return undefined;
    const overrides = { parallel: undefined, units: undefined, token: undefined };
    const { token, password } = await this.create({
      email: OPERATOR,
      plan: SELF_HOSTED.name,
      ...overrides,
      isOperator: true,
    });
    return { email: OPERATOR, token, password };
  }

  /** In the order they were made. */
  list(): Promise<AccountReport[]> {
    const { directory, clock } = this.#needs;
    return directory.all(toPeriod(clock.now()));
  }

  async report(whose: Whose): Promise<AccountReport> {
    return this.#report(await this.#find(whose));
  }

  /** @throws {AccountError} When the plan is unknown. */
  async change(whose: Whose, change: AccountChange): Promise<AccountReport> {
    const account = await this.#find(whose);
    if (change.plan !== undefined) this.#readPlan(change.plan ?? undefined);
    await this.#needs.accounts.change(account.id, change);
    await this.#endSessions(account, change);
    return this.report(account);
  }

  /** Whether there is an operator who gets in. */
  hasOperator(): Promise<boolean> {
    return this.#needs.accounts.hasOtherOperator("");
  }

  /** The same, unless no operator were left who gets in. @throws {AccountError} Then. */
  async changeIfOperatorStays(whose: Whose, change: AccountChange): Promise<AccountReport> {
    const account = await this.#find(whose);
    if (!(await this.#needs.accounts.changeIfOperatorStays(account.id, change)))
      throw new AccountError(`${account.email} is the last operator who gets in: give the rights to another first.`);
    await this.#endSessions(account, change);
    return this.report(account);
  }

  /** A new token; all earlier ones stop working at once. @throws {AccountError} For a chosen one that is too short. */
  async renewToken(whose: Whose, chosen: string | undefined): Promise<{ account: Account; token: string }> {
    const { tokens, randomBytes, newId, clock } = this.#needs;
    const account = await this.#find(whose);
    const token = chosen === undefined ? toToken(randomBytes) : readToken(chosen);
    const entry = newToken(token, { id: newId(), name: OPERATORS_TOKEN, createdAt: clock.now() });
    await tokens.replaceAll(account.id, entry);
    return { account, token };
  }

  /** A new random password, told this once; whoever is signed in no longer is. @throws {BusyError} When too many wait. */
  async resetPassword(whose: Whose): Promise<{ account: Account; password: string }> {
    const { accounts, sessions, hasher, randomBytes } = this.#needs;
    const account = await this.#find(whose);
    const password = toPassword(randomBytes);
    await accounts.setPassword(account.id, await orBusy(hasher.hash(password)));
    await sessions.removeAll(account.id);
    return { account, password };
  }

  /** Takes all away that tells of its owner; its units stay in the ledger. A server that runs ends its browsers then. */
  async erase(whose: Whose): Promise<Account> {
    const account = await this.#find(whose);
    await this.#needs.accounts.erase(account.id, this.#needs.clock.now());
    return account;
  }

  #toAccount({ email, plan, parallel, units, isOperator }: Omit<NewAccount, "token">): Account {
    const { newId, clock } = this.#needs;
    return {
      id: newId(),
      email: readEmailOrRefuse(email),
      plan: this.#readPlan(plan),
      parallel,
      units,
      hasAdditionalUnits: false,
      isDisabled: false,
      isOperator: isOperator ?? false,
      createdAt: clock.now(),
    };
  }

  async #add(account: Account, password: string, token: NewToken | undefined): Promise<void> {
    const { accounts, hasher } = this.#needs;
    const kept = await orBusy(hasher.hash(password));
    try {
      await accounts.create(account, { password: kept, token });
    } catch (error) {
      if (error instanceof EmailTaken) throw new AccountError(error.message, { cause: error });
      throw error;
    }
  }

  /** Whoever gets in again later signs in anew. */
  async #endSessions(account: Account, { isDisabled }: AccountChange): Promise<void> {
    if (isDisabled === true) await this.#needs.sessions.removeAll(account.id);
  }

  async #report(account: Account): Promise<AccountReport> {
    const { usage, clock } = this.#needs;
    const { units, openBrowsers } = await usage.month(account.id, toPeriod(clock.now()));
    return { ...account, unitsUsed: units, openBrowsers };
  }

  async #find(whose: Whose): Promise<Account> {
    const { accounts } = this.#needs;
    const account = await (typeof whose === "string" ? accounts.findByEmail(whose) : accounts.find(whose.id));
    if (account !== undefined) return account;
    throw new AccountError(
      typeof whose === "string"
        ? `There is no account with the e-mail ${whose}.`
        : "This account is not there any more.",
    );
  }

  #readPlan(name: string | undefined): string | undefined {
    const { plans } = this.#needs;
    if (name === undefined || plans.has(name)) return name;
    const known = [...plans.keys()].join(", ");
    throw new UnknownPlan(`There is no plan ${JSON.stringify(name)}; there are: ${known}, and none.`);
  }
}
