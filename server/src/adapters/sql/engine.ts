import type { Kysely, RawBuilder, SelectQueryBuilder, Transaction } from "kysely";
import type { OpenSpans } from "../../domain/plan/parallel.ts";
import type { Tables } from "./schema.ts";

/** SQL that differs between the engines. */
export type Engine = {
  /** Passes ids as one parameter, so that lists of any length share a prepared statement. */
  toIdList(ids: readonly string[]): RawBuilder<string>;
  /** Passes pairs as one or two parameters. @returns A table with the columns `key` and `value`. */
  toPairs(pairs: readonly (readonly [key: string, value: string])[]): RawBuilder<unknown>;
  /** Whether a column's JSON array contains the given text. */
  hasElement(column: RawBuilder<unknown>, text: string): RawBuilder<boolean>;
  /** The 1-based position of `part` in a text; 0 if the text doesn't contain `part`. */
  position(text: RawBuilder<string>, part: string): RawBuilder<number>;
  /** Aggregates ended browsers' open/close times into one value for `readSpans`, ten times as fast as reading rows. */
  readonly spans: RawBuilder<unknown>;
  /** @param spans Null if no browser was found. */
  readSpans(spans: unknown): OpenSpans;
  /**
   * Locks a query's rows until the transaction ends. SQLite has only one writer at a time, so it doesn't need locks.
   * @param isSkipping Skips rows that other transactions have locked.
   */
  lockRows<Row>(
    query: SelectQueryBuilder<Tables, keyof Tables, Row>,
    isSkipping?: boolean,
  ): SelectQueryBuilder<Tables, keyof Tables, Row>;
  /** Prevents other transactions from adding accounts until `trx` ends. */
  lockAccounts(trx: Transaction<Tables>): Promise<void>;
  /** Removes deleted data from the database's files if the engine can do that immediately. */
  forgetDeleted(db: Kysely<Tables>): Promise<void>;
};
