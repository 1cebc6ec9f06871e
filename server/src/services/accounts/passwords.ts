import type { Account } from "../../domain/account/account.ts";
import type { AccountStore } from "../../ports/account-store.ts";
import type { PasswordHasher } from "../../ports/password-hasher.ts";
import { refuseWeak } from "./account-entry.ts";
import { orBusy } from "./busy-error.ts";

type Needs = {
  readonly store: Pick<AccountStore, "findByEmail" | "readPassword" | "setPassword">;
  readonly hasher: PasswordHasher;
  readonly randomBytes: (length: number) => Buffer;
};

/** How people get into their accounts: by e-mail and password. */
export class Passwords {
  readonly #needs: Needs;
  /** The hash of a password that nobody has: checking against it takes as long as against anybody's. */
  #nobodys: Promise<string> | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /**
   * The account with that e-mail and password. That there is none, that the password is another and that the account is
   * disabled all take the same time and look the same: undefined.
   * @throws {BusyError} When too many wait already.
   */
  async signIn(email: string, password: string): Promise<Account | undefined> {
    const { store } = this.#needs;
    const account = await store.findByEmail(email.trim());
    const isRight = await this.#isRight(account, password);
    return isRight && account?.isDisabled === false ? account : undefined;
  }

  /** Whether the password is the account's. @throws {BusyError} When too many wait already. */
  check(account: Account, password: string): Promise<boolean> {
    return this.#isRight(account, password);
  }

  /**
   * @throws {AccountError} For a new password that is easily guessed.
   * @throws {BusyError} When too many wait already.
   */
  async change(account: Account, wanted: string): Promise<void> {
    const { store, hasher } = this.#needs;
    refuseWeak(wanted, account.email);
    await store.setPassword(account.id, await orBusy(hasher.hash(wanted)));
  }

  async #isRight(account: Account | undefined, password: string): Promise<boolean> {
    const { store, hasher, randomBytes } = this.#needs;
    this.#nobodys ??= hasher.hash(randomBytes(32).toString("base64url")).catch((error: unknown) => {
      this.#nobodys = undefined;
      throw error;
    });
    const nobodys = await orBusy(this.#nobodys);
    // Asked for nobody as well, so that both ways are alike.
    const kept = await store.readPassword(account?.id ?? "");
    const isRight = await orBusy(hasher.verify(password, kept ?? nobodys));
    // It may have been changed meanwhile, to keep out just who is coming in here.
    const isSame = (await store.readPassword(account?.id ?? "")) === kept;
    return isRight && kept !== undefined && isSame;
  }
}
