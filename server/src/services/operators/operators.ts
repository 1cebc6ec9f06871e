import type { Account } from "../../domain/account/account.ts";
import { toPeriod } from "../../domain/plan/units.ts";
import { isFailure } from "../../domain/failure.ts";
import type { AccountChange, AccountReport, AccountStore } from "../../ports/store/account-store.ts";
import type { Act } from "../../ports/store/audit-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { Log } from "../../ports/log.ts";
import type { WantedState, ServerRegistry } from "../../ports/cluster/server-registry.ts";
import type { AccountEvents } from "../store/account-events.ts";
import type { Accounts, CreatedAccount, NewAccount } from "../accounts/accounts.ts";
import { type Audit, type NewAct, isOfServer } from "./audit.ts";
import { AccountError } from "../accounts/errors.ts";
import type { SuspensionSweep } from "./suspension-sweep.ts";

const PAGE_LENGTH = 50;

export type AccountPage = {
  readonly accounts: readonly AccountReport[];
  /** The next page's `after`; undefined on the last page. */
  readonly next: string | undefined;
};

export type ActPage = {
  readonly acts: readonly Act[];
  /** Emails of the existing accounts, by id. */
  readonly emails: ReadonlyMap<string, string>;
  /** The next page's `before`; undefined on the last page. */
  readonly next: string | undefined;
};

/** An account's plan and limits, which operators set with one form. */
export type AccountTerms = Pick<AccountChange, "plan" | "parallel" | "units" | "hasAdditionalUnits">;

type OperatorsNeeds = {
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly store: Pick<AccountStore, "page" | "emails">;
  readonly sweep: Pick<SuspensionSweep, "sweep">;
  readonly fleet: Pick<Fleet, "listAll" | "close">;
  /** The servers that share the database; undefined if this server doesn't share it. */
  readonly workers: ServerRegistry | undefined;
  readonly events: Pick<AccountEvents, "emit">;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "error">;
};

/**
 * Performs the actions on the operators' pages. Records every change in the log and the audit log, with the ids of the
 * operator and the account. Operators can remove their own access only on the command line. Methods throw an
 * `AccountError` if the account doesn't exist.
 */
export class Operators {
  readonly #needs: OperatorsNeeds;

  constructor(needs: OperatorsNeeds) {
    this.#needs = needs;
  }

  /**
   * Returns fifty accounts, newest first.
   * @param search Part of an email, or an account's id; if empty, all accounts match.
   * @param after The previous page's `next`.
   */
  async page(search: string, after: string | undefined): Promise<AccountPage> {
    const { store, clock } = this.#needs;
    const period = toPeriod(clock.now());
    const found = await store.page({ search, after, limit: PAGE_LENGTH + 1, period });
    if (found.length === 0) return { accounts: await this.#withId(search), next: undefined };
    const accounts = found.slice(0, PAGE_LENGTH);
    return { accounts, next: found.length > PAGE_LENGTH ? accounts.at(-1)?.id : undefined };
  }

  /** Returns email addresses by account id. Omits erased accounts. */
  emails(accountIds: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    return this.#needs.store.emails([...new Set(accountIds)]);
  }

  /** Returns operators' actions, newest first. @param wanted.subject An account or server id; undefined for all. */
  async acts({ limit = PAGE_LENGTH, ...wanted }: Parameters<Audit["list"]>[0]): Promise<ActPage> {
    const found = await this.#needs.audit.list({ ...wanted, limit: limit + 1 });
    const acts = found.slice(0, limit);
    const emails = await this.emails(acts.flatMap(({ actor, subject }) => [actor, subject]));
    return { acts, emails, next: found.length > limit ? acts.at(-1)?.id : undefined };
  }

  find(id: string): Promise<AccountReport> {
    return this.#needs.accounts.report({ id });
  }

  async create(operator: Account, request: NewAccount): Promise<CreatedAccount> {
    const created = await this.#needs.accounts.create(request);
    const { plan = null } = created.account;
    await this.#record(operator, { act: "created", subject: created.account.id, details: { plan } });
    return created;
  }

  async changeTerms(operator: Account, id: string, terms: AccountTerms): Promise<void> {
    await this.#needs.accounts.change({ id }, terms);
    this.#needs.events.emit(id);
    await this.#record(operator, { act: "terms", subject: id, details: terms });
  }

  /** Disables the account and closes its browsers. @throws {AccountError} For the operator's own account. */
  async disable(operator: Account, id: string): Promise<void> {
    if (operator.id === id) throw ownAccount("Another operator can disable your account.");
    const { accounts, sweep } = this.#needs;
    await accounts.changeIfOperatorStays({ id }, { isDisabled: true });
    await this.#record(operator, { act: "disabled", subject: id });
    await sweep.sweep();
  }

  async enable(operator: Account, id: string): Promise<void> {
    await this.#needs.accounts.change({ id }, { isDisabled: false });
    await this.#record(operator, { act: "enabled", subject: id });
  }

  /** @throws {AccountError} For the operator's own account. */
  async setRights(operator: Account, id: string, isOperator: boolean): Promise<void> {
    if (operator.id === id) throw ownAccount("Another operator can remove your operator rights.");
    const { accounts } = this.#needs;
    await (isOperator
      ? accounts.change({ id }, { isOperator })
      : accounts.changeIfOperatorStays({ id }, { isOperator }));
    await this.#record(operator, { act: isOperator ? "rights given" : "rights taken", subject: id });
  }

  /** @returns The new password. It can't be shown again. @throws {AccountError} For the operator's own account. */
  async resetPassword(operator: Account, id: string): Promise<string> {
    if (operator.id === id) throw ownAccount("Change your password in the settings.");
    const { password } = await this.#needs.accounts.resetPassword({ id });
    await this.#record(operator, { act: "password", subject: id });
    return password;
  }

  /** @returns The new token, which replaces all others. It can't be shown again. */
  async renewToken(operator: Account, id: string): Promise<string> {
    const { token } = await this.#needs.accounts.renewToken({ id });
    await this.#record(operator, { act: "token", subject: id });
    return token;
  }

  /** Sets whether a server opens browsers. @returns False if the server is unknown. */
  async wantWorker(operator: Account, workerId: string, state: WantedState): Promise<boolean> {
    const isKnown = (await this.#needs.workers?.want(workerId, state)) ?? false;
    if (isKnown) await this.#record(operator, { act: `server ${state}`, subject: workerId });
    return isKnown;
  }

  /** Resolves when the browser is closed. @returns False if the browser wasn't open. */
  async closeBrowser(operator: Account, browserId: string): Promise<boolean> {
    const { fleet } = this.#needs;
    const browser = (await fleet.listAll()).find(({ id }) => id === browserId);
    if (browser === undefined) return false;
    const { accountId, address } = browser;
    try {
      await fleet.close({ id: accountId }, { address });
      await this.#record(operator, { act: "browser closed", subject: accountId, details: { browserId } });
      return true;
    } catch (error) {
      if (isFailure(error, "BrowserNotFound")) return false;
      throw error;
    }
  }

  /** Operators search by ids that they find in the log. */
  async #withId(id: string): Promise<AccountReport[]> {
    try {
      return [await this.find(id)];
    } catch (error) {
      if (error instanceof AccountError) return [];
      throw error;
    }
  }

  /** Records a completed action. Failures are only logged, as the action may have created a secret shown only once. */
  async #record({ id }: Account, done: NewAct): Promise<void> {
    const { audit, log } = this.#needs;
    const { act, subject, details } = done;
    const on = isOfServer(act) ? { workerId: subject } : { accountId: subject };
    log.info("operator.acted", { operatorId: id, ...on, what: act, ...details });
    await audit.record(id, done).catch((error: unknown) => log.error("audit.write_failed", { error }));
  }
}

function ownAccount(hint: string): AccountError {
  return new AccountError(`You can't do this to your own account. ${hint}`);
}
