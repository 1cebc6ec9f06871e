import type { Account } from "../domain/account/account.ts";

/** An account beside what it consumed in a month. */
export type AccountReport = Account & { readonly unitsUsed: number; readonly openBrowsers: number };

export type DirectoryPage = {
  /** Part of an e-mail, in any case; empty: all accounts. */
  readonly search: string;
  /** Id of the account that the list goes on behind; undefined: from the beginning. */
  readonly behind: string | undefined;
  readonly limit: number;
  /** Month in UTC that units are counted of: `2026-11`. */
  readonly period: string;
};

/** All accounts, to look through. Those that were erased are in none of the answers. */
export interface AccountDirectory {
  /** In the order they were made. @param period As of a page. */
  all(period: string): Promise<AccountReport[]>;
  /** The last made first. */
  page(wanted: DirectoryPage): Promise<AccountReport[]>;
  /** By their ids. */
  emails(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
