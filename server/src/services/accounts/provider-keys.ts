import { type Account, toSubscription } from "../../domain/account/account.ts";
import type { Plans } from "../../domain/plan/plan.ts";
import { Failure } from "../../domain/failure.ts";
import type { AccountStore } from "../../ports/store/account-store.ts";
import type { SecretBox } from "../../ports/secret-box.ts";
import { AccountError } from "./errors.ts";

const MAX_LENGTH = 512;

type ProviderKeysNeeds = {
  readonly store: Pick<AccountStore, "readProviderKey" | "setProviderKey">;
  readonly box: SecretBox;
  /** The deployment's key; undefined if it has none. */
  readonly deploymentsKey: string | undefined;
  readonly plans: Plans;
};

export type ProviderKey = {
  readonly key: string;
  /** Whether this is the deployment's key, in which case its operator pays for the account's queries. */
  readonly isDeployments: boolean;
};

/** Keys for the language-model provider. An account's own key takes precedence over the deployment's. */
export class ProviderKeys {
  readonly #needs: ProviderKeysNeeds;

  constructor(needs: ProviderKeysNeeds) {
    this.#needs = needs;
  }

  /** Whether the account may use the deployment's key if it has no key of its own. */
  mayUseDeploymentsKey(account: Account): boolean {
    const { deploymentsKey, plans } = this.#needs;
    return deploymentsKey !== undefined && toSubscription(account, plans)?.hasAiKey === true;
  }

  async hasOwn(account: Account): Promise<boolean> {
    return (await this.#needs.store.readProviderKey(account.id)) !== undefined;
  }

  /** Stores the key, encrypted. @throws {AccountError} If the text isn't a plausible key. */
  async set(account: Account, text: string): Promise<void> {
    const key = text.trim();
    // The key is sent in a header, which limits its characters.
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
   * Returns the key for this account's queries; undefined if neither the account nor the deployment has one.
   * @throws {Failure} `ProviderUnavailable` if the account has no key and its plan doesn't include the deployment's
   * key, or if the account's own key can't be decrypted, in which case the deployment's key isn't used instead.
   */
  async find(account: Account): Promise<ProviderKey | undefined> {
    const { store, box, deploymentsKey } = this.#needs;
    const sealed = await store.readProviderKey(account.id);
    if (sealed === undefined) {
      if (deploymentsKey === undefined) return undefined;
      if (this.mayUseDeploymentsKey(account)) return { key: deploymentsKey, isDeployments: true };
      const message =
        "Your plan doesn't include this deployment's key for the language-model provider. Set your own key in the web settings, or ask the operator for another plan.";
      throw new Failure("ProviderUnavailable", message);
    }
    try {
      return { key: box.unseal(sealed, account.id), isDeployments: false };
    } catch (cause) {
      const message = "Your provider key can't be decrypted: set it again in the settings.";
      throw new Failure("ProviderUnavailable", message, { cause });
    }
  }
}
