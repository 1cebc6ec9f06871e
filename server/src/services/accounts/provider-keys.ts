import type { Account } from "../../domain/account/account.ts";
import { Failure } from "../../domain/failure.ts";
import type { AccountStore } from "../../ports/account-store.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import { AccountError } from "./errors.ts";

const MAX_LENGTH = 512;

type Needs = {
  readonly store: Pick<AccountStore, "readProviderKey" | "setProviderKey">;
  readonly box: SecretBox;
  /** The deployment's key; undefined if the deployment has no key. */
  readonly deploymentsKey: string | undefined;
};

/** Keys for the language-model provider. An account's own key takes precedence over the deployment's. */
export class ProviderKeys {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Whether the deployment has a key, for accounts without their own. */
  get hasDeploymentsKey(): boolean {
    return this.#needs.deploymentsKey !== undefined;
  }

  async hasOwn(account: Account): Promise<boolean> {
    return (await this.#needs.store.readProviderKey(account.id)) !== undefined;
  }

  /** Stores the key, encrypted. @throws {AccountError} If the text can't be a key. */
  async set(account: Account, text: string): Promise<void> {
    const key = text.trim();
    // The key is sent in a header.
    if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_LENGTH) {
      throw new AccountError(
        `Enter a key of 1 to ${MAX_LENGTH} letters, digits and symbols, without spaces. Make sure to copy the whole key.`,
      );
    }
    const { store, box } = this.#needs;
    await store.setProviderKey(account.id, box.seal(key, account.id));
  }

  async remove(account: Account): Promise<void> {
    await this.#needs.store.setProviderKey(account.id, undefined);
  }

  /**
   * The key for this account's queries; undefined if neither the account nor the deployment has one.
   * @throws {Failure} `ProviderUnavailable` if the account's own key can't be decrypted. The deployment's key is not used
   *   instead.
   */
  async find(account: Account): Promise<string | undefined> {
    const { store, box, deploymentsKey } = this.#needs;
    const sealed = await store.readProviderKey(account.id);
    if (sealed === undefined) return deploymentsKey;
    try {
      return box.open(sealed, account.id);
    } catch (cause) {
      const message = "Your provider key can't be decrypted: set it again in the settings.";
      throw new Failure("ProviderUnavailable", message, { cause });
    }
  }
}
