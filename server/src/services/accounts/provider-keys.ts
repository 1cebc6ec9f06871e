import type { Account } from "../../domain/account/account.ts";
import { Failure } from "../../domain/failure.ts";
import type { AccountStore } from "../../ports/account-store.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import { AccountError } from "./account-error.ts";

const MAX_LENGTH = 512;

type Needs = {
  readonly store: Pick<AccountStore, "readProviderKey" | "setProviderKey">;
  readonly box: SecretBox;
  /** The deployment's; undefined: it has none. */
  readonly deploymentsKey: string | undefined;
};

/** The language-model provider's keys: an account's own goes before the deployment's. */
export class ProviderKeys {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Whether the deployment has a key for accounts without one. */
  get isDeploymentsThere(): boolean {
    return this.#needs.deploymentsKey !== undefined;
  }

  async hasOwn(account: Account): Promise<boolean> {
    return (await this.#needs.store.readProviderKey(account.id)) !== undefined;
  }

  /** From now on this key is used, and never shown again. @throws {AccountError} When it can't be a key. */
  async set(account: Account, text: string): Promise<void> {
    const key = text.trim();
    // It travels in a header.
    if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_LENGTH) {
      throw new AccountError(
        `A provider's key has 1 to ${MAX_LENGTH} letters, digits and signs, and no spaces: copy it whole.`,
      );
    }
    const { store, box } = this.#needs;
    await store.setProviderKey(account.id, box.seal(key, account.id));
  }

  async remove(account: Account): Promise<void> {
    await this.#needs.store.setProviderKey(account.id, undefined);
  }

  /**
   * The key that a query of this account is asked with; undefined when there is none.
   * @throws {Failure} `ProviderUnavailable` when the account's own can't be read any more: another's is no substitute.
   */
  async find(account: Account): Promise<string | undefined> {
    const { store, box, deploymentsKey } = this.#needs;
    const sealed = await store.readProviderKey(account.id);
    if (sealed === undefined) return deploymentsKey;
    try {
      return box.open(sealed, account.id);
    } catch (cause) {
      const message = "The provider's key of this account can't be read any more: set it again in the settings.";
      throw new Failure("ProviderUnavailable", message, { cause });
    }
  }
}
