import type { Account } from "../../domain/account/account.ts";
import type { AccountStore } from "../../ports/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import { AccountError } from "./account-error.ts";
import type { Browsers } from "../browsers/browsers.ts";

type Needs = {
  readonly store: Pick<AccountStore, "hasOtherOperator" | "change" | "changeIfOperatorStays" | "erase">;
  readonly browsers: Pick<Browsers, "closeAllOf">;
  readonly clock: Clock;
};

/** How people take their accounts away. */
export class AccountRemoval {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Whether nobody could operate the service without this account. */
  async isLastOperator({ id, isOperator }: Account): Promise<boolean> {
    return isOperator && !(await this.#needs.store.hasOtherOperator(id));
  }

  /**
   * Takes all away that tells of the account's owner, and ends its browsers; resolves when nothing of them is left. Its
   * units stay in the ledger. Where it fails, the account is as it was.
   * @throws {AccountError} For the last operator's.
   */
  async erase(account: Account): Promise<void> {
    const { browsers } = this.#needs;
    await (account.isOperator ? this.#eraseOperator(account) : this.#erase(account));
    // From here on it opens none; one that is being opened ends at the next look for accounts that are gone.
    await browsers.closeAllOf(account.id, "disabled");
  }

  /** Of two operators who go at the same moment one has to stay: the first step says who. */
  async #eraseOperator(account: Account): Promise<void> {
    const { store } = this.#needs;
    if (!(await store.changeIfOperatorStays(account.id, { isDisabled: true }))) throw lastOperator();
    await using undo = new AsyncDisposableStack();
    // Or its owner could neither get in nor try again.
    undo.defer(() => store.change(account.id, { isDisabled: false }));
    await this.#erase(account);
    undo.move();
  }

  async #erase({ id }: Account): Promise<void> {
    const { store, clock } = this.#needs;
    await store.erase(id, clock.now());
  }
}

function lastOperator(): AccountError {
  return new AccountError(
    "This is the last operator's account, and without it nobody could look after the others: give the rights to another first.",
  );
}
