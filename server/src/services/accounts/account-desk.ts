import type { Account } from "../../domain/account/account.ts";
import { toPeriod } from "../../domain/account/units.ts";
import type { AccountDirectory, AccountReport } from "../../ports/account-directory.ts";
import type { AccountChange } from "../../ports/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { AccountError } from "./account-error.ts";
import type { Accounts, MadeAccount, NewAccount } from "./accounts.ts";
import type { SuspensionSweep } from "./suspension-sweep.ts";
import type { Browsers } from "../browsers/browsers.ts";
import type { AccountEvents } from "../browsers/account-events.ts";

/** Accounts on a page of the list. */
const PAGE_LENGTH = 50;

type Needs = {
  readonly accounts: Accounts;
  readonly directory: AccountDirectory;
  readonly sweep: Pick<SuspensionSweep, "sweep">;
  readonly browsers: Pick<Browsers, "all">;
  readonly events: Pick<AccountEvents, "emit">;
  readonly clock: Clock;
  readonly log: Pick<Log, "info">;
};

export type DeskPage = {
  readonly entries: readonly AccountReport[];
  /** Id of the account that the next page goes on behind; undefined on the last one. */
  readonly last: string | undefined;
};

/** What operators may change of an account by a form, beside what has an action of its own. */
export type Terms = Pick<AccountChange, "plan" | "parallel" | "units" | "hasAdditionalUnits">;

/**
 * Accounts as operators look through and steer them on their page. Who acts is written to the log, by ids. Nobody takes away
 * their own way in: the command line can. Whatever is asked about an account that is not there throws an `AccountError`.
 */
export class AccountDesk {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** @param search Part of an e-mail, or an id. @param behind What the page before gave as its last. */
  async page(search: string, behind: string | undefined): Promise<DeskPage> {
    const { directory, clock } = this.#needs;
    const period = toPeriod(clock.now());
    const found = await directory.page({ search, behind, limit: PAGE_LENGTH + 1, period });
    const entries = found.length > 0 ? found.slice(0, PAGE_LENGTH) : await this.#withId(search);
    return { entries, last: found.length > PAGE_LENGTH ? entries.at(-1)?.id : undefined };
  }

  /** The account with an id as the log has it. */
  async #withId(id: string): Promise<AccountReport[]> {
    try {
      return [await this.find(id)];
    } catch (error) {
      if (error instanceof AccountError) return [];
      throw error;
    }
  }

  /** E-mails by the ids of their accounts. */
  emails(accountIds: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    return this.#needs.directory.emails([...new Set(accountIds)]);
  }

  find(id: string): Promise<AccountReport> {
    return this.#needs.accounts.report({ id });
  }

  async create(operator: Account, wanted: NewAccount): Promise<MadeAccount> {
    const made = await this.#needs.accounts.create(wanted);
    this.#note(operator, made.account.id, "created");
    return made;
  }

  async changeTerms(operator: Account, id: string, terms: Terms): Promise<void> {
    await this.#needs.accounts.change({ id }, terms);
    this.#needs.events.emit(id);
    this.#note(operator, id, "terms");
  }

  /** Ends its browsers as well. @throws {AccountError} For the operator's own account. */
  async disable(operator: Account, id: string): Promise<void> {
    if (operator.id === id) throw new AccountError("This is your own account: another operator can disable it.");
    const { accounts, sweep } = this.#needs;
    await accounts.changeIfOperatorStays({ id }, { isDisabled: true });
    this.#note(operator, id, "disabled");
    await sweep.sweep();
  }

  async enable(operator: Account, id: string): Promise<void> {
    await this.#needs.accounts.change({ id }, { isDisabled: false });
    this.#note(operator, id, "enabled");
  }

  /** @throws {AccountError} For the operator's own account. */
  async setRights(operator: Account, id: string, isOperator: boolean): Promise<void> {
    if (operator.id === id) throw new AccountError("This is your own account: another operator can take its rights.");
    const { accounts } = this.#needs;
    await (isOperator
      ? accounts.change({ id }, { isOperator })
      : accounts.changeIfOperatorStays({ id }, { isOperator }));
    this.#note(operator, id, isOperator ? "rights given" : "rights taken");
  }

  /** @returns The new password, told this once. @throws {AccountError} For the operator's own account. */
  async resetPassword(operator: Account, id: string): Promise<string> {
    if (operator.id === id) throw new AccountError("This is your own account: change its password in the settings.");
    const { password } = await this.#needs.accounts.resetPassword({ id });
    this.#note(operator, id, "password");
    return password;
  }

  /** @returns The new token, told this once; all earlier ones stop working. */
  async renewToken(operator: Account, id: string): Promise<string> {
    const { token } = await this.#needs.accounts.renewToken({ id }, undefined);
    this.#note(operator, id, "token");
    return token;
  }

  /** @returns Whether it was open; then nothing of it is left. */
  async closeBrowser(operator: Account, browserId: string): Promise<boolean> {
    const browser = [...this.#needs.browsers.all()].find(({ id }) => id === browserId);
    if (browser === undefined) return false;
    const closing = browser.close("requested");
    this.#note(operator, browser.accountId, "browser closed", { browserId });
    await closing;
    return true;
  }

  #note(operator: Account, accountId: string, what: string, facts: { readonly browserId?: string } = {}): void {
    this.#needs.log.info("operator.acted", { operatorId: operator.id, accountId, what, ...facts });
  }
}
