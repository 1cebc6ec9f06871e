import type { Account } from "../../../domain/account/account.ts";
import type { AccountStore } from "../../../ports/store/account-store.ts";
import type { TokenStore } from "../../../ports/store/token-store.ts";

/** Maximum number of cached accounts, above which the whole cache is cleared. */
const MAX_ACCOUNTS = 10_000;

type Stores = { readonly accounts: AccountStore; readonly tokens: TokenStore };

/**
 * Caches each token's account, which every call looks up. Any write by this process clears the cache.
 * @param readVersion Returns a new value, which clears the cache, if other processes may have written.
 */
export function withTokenCache({ accounts, tokens }: Stores, readVersion: () => unknown): Stores {
  const known = new Map<string, Account>();
  let version: unknown;
  /** Number of writes by this process, which don't change the version. */
  let writes = 0;

  const forgetAfter =
    <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await write(...args);
      writes += 1;
      known.clear();
      return result;
    };

  return {
    accounts: {
      ...accounts,
      change: forgetAfter((accountId, change) => accounts.change(accountId, change)),
      outdate: forgetAfter((accountId) => accounts.outdate(accountId)),
      changeIfOperatorStays: forgetAfter((accountId, change) => accounts.changeIfOperatorStays(accountId, change)),
      erase: forgetAfter((accountId, at) => accounts.erase(accountId, at)),
    },

    tokens: {
      ...tokens,
      replaceAll: forgetAfter((accountId, token) => tokens.replaceAll(accountId, token)),
      renew: forgetAfter((accountId, tokenId, from, token, at) => tokens.renew(accountId, tokenId, from, token, at)),
      revoke: forgetAfter((accountId, tokenId) => tokens.revoke(accountId, tokenId)),

      async findAccount(hash) {
        const current = readVersion();
        if (current !== version || known.size > MAX_ACCOUNTS) known.clear();
        version = current;
        const remembered = known.get(hash);
        if (remembered !== undefined) return remembered;
        const before = writes;
        const account = await tokens.findAccount(hash);
        // A write during the query makes the result outdated.
        const isCurrent = writes === before && readVersion() === current;
        // Disabled accounts aren't cached: when another process enables one, its tokens must work immediately.
        if (account !== undefined && !account.isDisabled && isCurrent) known.set(hash, account);
        return account;
      },
    },
  };
}
