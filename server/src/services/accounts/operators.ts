import type { Account } from "../../domain/account/account.ts";
import { toPeriod } from "../../domain/account/units.ts";
import { isFailure } from "../../domain/failure.ts";
import type { AccountChange, AccountReport, AccountStore } from "../../ports/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { Log } from "../../ports/log.ts";
import type { WantedState, WorkerRegistry } from "../../ports/worker-registry.ts";
import type { AccountEvents } from "../browsers/account-events.ts";
import type { Accounts, CreatedAccount, NewAccount } from "./accounts.ts";
import { AccountError } from "./errors.ts";
import type { SuspensionSweep } from "./suspension-sweep.ts";

const PAGE_LENGTH = 50;

export type AccountPage = {
  readonly accounts: readonly AccountReport[];
  /** Pass it as `after` to read the next page; undefined on the last page. */
  readonly next: string | undefined;
};

/** The plan and limits of an account, which operators set with one form. */
export type AccountTerms = Pick<AccountChange, "plan" | "parallel" | "units" | "hasAdditionalUnits">;

type Needs = {
  readonly accounts: Accounts;
  readonly store: Pick<AccountStore, "page" | "emails">;
  readonly sweep: Pick<SuspensionSweep, "sweep">;
  readonly fleet: Pick<Fleet, "listAll" | "close">;
  /** The servers that share the database; undefined: there is only this one. */
  readonly workers: WorkerRegistry | undefined;
  readonly events: Pick<AccountEvents, "emit">;
  readonly clock: Clock;
  readonly log: Pick<Log, "info">;
};

/**
 * The actions of operators on their pages. Every change is logged with the ids of the operator and the account.
 * Operators can't remove their own access here; the command line can. Methods throw an `AccountError` if the account
 * doesn't exist.
 */
export class Operators {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /**
   * Fifty accounts, newest first.
   * @param search Part of an email, or an account's id; empty: all accounts.
   * @param after The `next` of the page before.
   */
  async page(search: string, after: string | undefined): Promise<AccountPage> {
    const { store, clock } = this.#needs;
    const period = toPeriod(clock.now());
    const found = await store.page({ search, after, limit: PAGE_LENGTH + 1, period });
    if (found.length === 0) return { accounts: await this.#withId(search), next: undefined };
    const accounts = found.slice(0, PAGE_LENGTH);
    return { accounts, next: found.length > PAGE_LENGTH ? accounts.at(-1)?.id : undefined };
  }

  /** Emails by account id. Leaves out erased accounts. */
  emails(accountIds: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    return this.#needs.store.emails([...new Set(accountIds)]);
  }

  find(id: string): Promise<AccountReport> {
    return this.#needs.accounts.report({ id });
  }

  async create(operator: Account, request: NewAccount): Promise<CreatedAccount> {
    const created = await this.#needs.accounts.create(request);
    this.#log(operator, created.account.id, "created");
    return created;
  }

  async changeTerms(operator: Account, id: string, terms: AccountTerms): Promise<void> {
    await this.#needs.accounts.change({ id }, terms);
    this.#needs.events.emit(id);
    this.#log(operator, id, "terms");
  }

  /** Also closes the browsers of the account. @throws {AccountError} For the operator's own account. */
  async disable(operator: Account, id: string): Promise<void> {
    if (operator.id === id) throw ownAccount("Another operator can disable it.");
    const { accounts, sweep } = this.#needs;
    await accounts.changeIfOperatorStays({ id }, { isDisabled: true });
    this.#log(operator, id, "disabled");
    await sweep.sweep();
  }

  async enable(operator: Account, id: string): Promise<void> {
    await this.#needs.accounts.change({ id }, { isDisabled: false });
    this.#log(operator, id, "enabled");
  }

  /** @throws {AccountError} For the operator's own account. */
  async setRights(operator: Account, id: string, isOperator: boolean): Promise<void> {
    if (operator.id === id) throw ownAccount("Another operator can remove your operator rights.");
    const { accounts } = this.#needs;
    await (isOperator
      ? accounts.change({ id }, { isOperator })
      : accounts.changeIfOperatorStays({ id }, { isOperator }));
    this.#log(operator, id, isOperator ? "rights given" : "rights taken");
  }

  /** @returns The new password. It can't be shown again. @throws {AccountError} For the operator's own account. */
  async resetPassword(operator: Account, id: string): Promise<string> {
    if (operator.id === id) throw ownAccount("Change your password in the settings.");
    const { password } = await this.#needs.accounts.resetPassword({ id });
    this.#log(operator, id, "password");
    return password;
  }

  /** @returns The new token, which replaces all others. It can't be shown again. */
  async renewToken(operator: Account, id: string): Promise<string> {
    const { token } = await this.#needs.accounts.renewToken({ id });
    this.#log(operator, id, "token");
    return token;
  }

  /** Says whether a server shall open browsers. @returns False if there is no such server. */
  async wantWorker(operator: Account, workerId: string, state: WantedState): Promise<boolean> {
    const { workers, log } = this.#needs;
    const isKnown = (await workers?.want(workerId, state)) ?? false;
    if (isKnown) log.info("operator.acted", { operatorId: operator.id, workerId, what: `server ${state}` });
    return isKnown;
  }

  /** Resolves when the browser is closed. @returns False if it wasn't open. */
  async closeBrowser(operator: Account, browserId: string): Promise<boolean> {
    const { fleet } = this.#needs;
    const browser = (await fleet.listAll()).find(({ id }) => id === browserId);
    if (browser === undefined) return false;
    const { accountId, address } = browser;
    try {
      const closing = fleet.close({ id: accountId }, { address });
      this.#log(operator, accountId, "browser closed", { browserId });
      await closing;
      return true;
    } catch (error) {
      if (isFailure(error, "BrowserNotFound")) return false;
      throw error;
    }
  }

  /** Operators search for ids because the log has them. */
  async #withId(id: string): Promise<AccountReport[]> {
    try {
      return [await this.find(id)];
    } catch (error) {
      if (error instanceof AccountError) return [];
      throw error;
    }
  }

  #log(operator: Account, accountId: string, what: string, facts: { readonly browserId?: string } = {}): void {
    this.#needs.log.info("operator.acted", { operatorId: operator.id, accountId, what, ...facts });
  }
}

function ownAccount(hint: string): AccountError {
  return new AccountError(`You can't do this to your own account. ${hint}`);
}
