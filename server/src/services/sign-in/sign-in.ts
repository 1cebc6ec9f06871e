import type { Account } from "../../domain/account/account.ts";
import { toEmailKey } from "../../domain/account/email.ts";
import { type AccountStore, EmailTaken } from "../../ports/store/account-store.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { Log } from "../../ports/log.ts";
import type { PasswordHasher } from "../../ports/password-hasher.ts";
import { type Accounts, checkPassword, checkSignUp } from "../accounts/accounts.ts";
import type { Attempts, SignInClient } from "../attempts/attempts.ts";
import { AccountError, BusyError, orBusy } from "../accounts/errors.ts";
import type { Sessions } from "./sessions.ts";

type SignInNeeds = {
  readonly store: Pick<AccountStore, "findByEmail" | "readPasswordHash" | "setPasswordHash">;
  readonly accounts: Pick<Accounts, "signUp" | "eraseIfOperatorStays">;
  readonly sessions: Sessions;
  readonly attempts: Attempts;
  readonly fleet: Pick<Fleet, "closeAllOf">;
  readonly hasher: PasswordHasher;
  readonly randomBytes: (length: number) => Buffer;
  readonly log: Pick<Log, "info">;
};

/** The web browser that a user signs in with. */
type ClientWithSessions = SignInClient & {
  /** Secrets of the web browser's old sessions, which sign-in ends to prevent session fixation. */
  readonly sessions: readonly string[];
};

/** The cookies of a signed-in user's web browser. */
type SignedIn = {
  readonly secret: string;
  /** Shows at the next sign-in that the user has signed in from this web browser before. */
  readonly known: string;
};

/** Performs the actions that require a password: sign-up, sign-in, password changes, and account deletion. */
export class SignIn {
  readonly #needs: SignInNeeds;
  /** The hash of a random password, verified for unknown accounts so that their sign-ins take equally long. */
  #decoyHash: Promise<string> | undefined;

  constructor(needs: SignInNeeds) {
    this.#needs = needs;
  }

  /**
   * Signs a user in. Unknown emails, wrong passwords and disabled accounts take the same time and have the same result.
   * @returns Undefined if the email and the password don't match.
   * @throws {TooManyAttempts} After too many failures. @throws {unknown} The abort reason of the client's signal.
   * @throws {BusyError} If too many passwords are waiting to be hashed.
   */
  async signIn(email: string, password: string, client: ClientWithSessions): Promise<SignedIn | undefined> {
    const { attempts, log } = this.#needs;
    const giveBack = await attempts.takeSignIn(client, email);
    const account = await this.#findAccount(email, password).catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
    if (account === undefined) return undefined;
    await giveBack();
    const secret = await this.#beginSession(account, client.sessions);
    log.info("user.signed_in", { account: account.id });
    return { secret, known: attempts.toKnown(email) };
  }

  /**
   * Creates an account. To hide which emails have accounts, the call takes the same time and has the same result if the
   * email is taken, and a sign-up never signs the user in.
   * @param address The client's IP address.
   * @throws {AccountError} If the email is invalid, or the password is easy to guess.
   * @throws {TooManyAttempts} After too many sign-ups from the address.
   * @throws {BusyError} If too many passwords are waiting to be hashed.
   */
  async signUp(email: string, password: string, address: string): Promise<void> {
    const { accounts, attempts, log } = this.#needs;
    // Typos don't count as attempts, because they create no account and don't reveal which emails are taken.
    checkSignUp(email, password);
    const giveBack = await attempts.takeSignUp(address);
    const account = await accounts.signUp(email, password).catch(async (error: unknown) => {
      if (error instanceof AccountError && error.cause instanceof EmailTaken) return undefined;
      if (error instanceof BusyError) await giveBack();
      throw error;
    });
    if (account !== undefined) log.info("account.signed_up", { account: account.id });
  }

  /**
   * Changes the password and ends all of the account's sessions.
   * @param sessions Secrets of the client's current sessions, which are ended.
   * @returns The new session's secret.
   * @throws {AccountError} If the current password is wrong, or the new password is the same or easy to guess.
   * @throws {TooManyAttempts | BusyError}
   */
  async changePassword(
    account: Account,
    current: string,
    newPassword: string,
    sessions: readonly string[],
  ): Promise<string> {
    const { store, hasher, log } = this.#needs;
    await this.confirm(account, current);
    if (newPassword === current)
      throw new AccountError("Choose a password that differs from the current one.", { field: "newPassword" });
    checkPassword(newPassword, account.email, "newPassword");
    await store.setPasswordHash(account.id, await orBusy(hasher.hash(newPassword)));
    log.info("account.password_changed", { account: account.id });
    return this.#beginSession(account, sessions);
  }

  /**
   * Erases all personal data and closes the account's browsers. The account's units remain in the ledger. If the
   * erasure fails, the account is unchanged.
   * @throws {AccountError} If the email or the password is wrong, or this is the last operator.
   * @throws {TooManyAttempts | BusyError}
   */
  async deleteAccount(account: Account, entered: { readonly email: string; readonly password: string }): Promise<void> {
    const { accounts, fleet, log } = this.#needs;
    if (toEmailKey(entered.email.trim()) !== toEmailKey(account.email))
      throw new AccountError(`Enter the email address of this account, ${account.email}.`, { field: "email" });
    await this.confirm(account, entered.password);
    await accounts.eraseIfOperatorStays(account);
    // From now on, the account can't open browsers. The suspension sweep closes any browser that is being opened.
    await fleet.closeAllOf(account.id, "disabled");
    log.info("account.erased", { account: account.id });
  }

  async #beginSession(account: Account, before: readonly string[]): Promise<string> {
    const { sessions } = this.#needs;
    for (const secret of before) await sessions.end(secret);
    return sessions.begin(account);
  }

  /**
   * Checks a signed-in user's password again, because someone else may be using the user's unlocked computer.
   * @throws {AccountError} If the password is wrong. @throws {TooManyAttempts | BusyError}
   */
  async confirm(account: Account, password: string): Promise<void> {
    const giveBack = await this.#needs.attempts.takeCheck(account.id);
    const isRight = await this.#isPassword(account, password).catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
    if (isRight) return giveBack();
    throw new AccountError("The password is incorrect. Passwords are case-sensitive.", { field: "password" });
  }

  async #findAccount(email: string, password: string): Promise<Account | undefined> {
    const account = await this.#needs.store.findByEmail(email.trim());
    const isRight = await this.#isPassword(account, password);
    return isRight && account?.isDisabled === false ? account : undefined;
  }

  async #isPassword(account: Account | undefined, password: string): Promise<boolean> {
    const { store, hasher, randomBytes } = this.#needs;
    this.#decoyHash ??= hasher.hash(randomBytes(32).toString("base64url")).catch((error: unknown) => {
      this.#decoyHash = undefined;
      throw error;
    });
    const decoyHash = await orBusy(this.#decoyHash);
    // Unknown accounts go through the same steps, so that the timing reveals nothing.
    const stored = await store.readPasswordHash(account?.id ?? "");
    const isRight = await orBusy(hasher.verify(password, stored ?? decoyHash));
    // The user may have changed the password during the check, to lock out the person who is signing in.
    const isSame = (await store.readPasswordHash(account?.id ?? "")) === stored;
    return isRight && stored !== undefined && isSame;
  }
}
