import type { DatabaseSync } from "node:sqlite";
import type { Account } from "../../domain/account.ts";
import type { AccountStore } from "../../ports/store.ts";

/** Accounts kept at most; past it, all are asked for anew. */
const MAX_ACCOUNTS = 10_000;

/**
 * Remembers which account a token opens, since every call asks. SQLite tells when another process has written to the
 * file (https://sqlite.org/pragma.html#pragma_data_version), as the command line does; then all is forgotten.
 */
export function rememberTokens(accounts: AccountStore, database: DatabaseSync): AccountStore {
  const readVersion = database.prepare("pragma data_version");
  const known = new Map<string, Account>();
  let version: unknown;
  /** Counts our own writes, which the version does not. */
  let writes = 0;

  const forgetAfter =
    <Args extends unknown[]>(write: (...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      await write(...args);
      writes += 1;
      known.clear();
    };

  return {
    ...accounts,
    create: forgetAfter((account, token) => accounts.create(account, token)),
    change: forgetAfter((accountId, change) => accounts.change(accountId, change)),
    replaceToken: forgetAfter((accountId, token, at) => accounts.replaceToken(accountId, token, at)),

    async findByToken(hash) {
      const current = readVersion.get()?.["data_version"];
      if (current !== version || known.size > MAX_ACCOUNTS) known.clear();
      version = current;
      const remembered = known.get(hash);
      if (remembered !== undefined) return remembered;
      const before = writes;
      const account = await accounts.findByToken(hash);
      // A write that came while this was asked has made it old already.
      const isCurrent = writes === before && readVersion.get()?.["data_version"] === current;
      if (account !== undefined && isCurrent) known.set(hash, account);
      return account;
    },
  };
}
