import type { Kysely, RawBuilder, SelectQueryBuilder, Transaction } from "kysely";
import type { OpenSpans } from "../../domain/plan/parallel.ts";
import type { Tables } from "./schema.ts";

/** What the engines spell differently, or only one of them needs. */
export type Engine = {
  /** A list of ids as one parameter. With one parameter per id, lists of each length would need their own statement. */
  toIdList(ids: readonly string[]): RawBuilder<string>;
  /** Pairs as one or two parameters: the rows of a table with the columns `key` and `value`. */
  toPairs(pairs: readonly (readonly [key: string, value: string])[]): RawBuilder<unknown>;
  /** Whether a JSON array in a column has a text among its elements. */
  hasElement(column: RawBuilder<unknown>, text: string): RawBuilder<boolean>;
  /** Where a text contains another one, counted from 1; 0: nowhere. */
  position(text: RawBuilder<string>, part: string): RawBuilder<number>;
  /**
   * Aggregates when ended browsers opened and ended into one value, which `readSpans` reads. Rows take ten times
   * longer.
   */
  readonly spans: RawBuilder<unknown>;
  /** @param spans Null: of no browser. */
  readSpans(spans: unknown): OpenSpans;
  /**
   * Locks the rows of a query until the transaction ends. SQLite has one writer at a time, so it needs no locks.
   * @param isSkipping Whether rows that others have locked are left out.
   */
  lockRows<Row>(
    query: SelectQueryBuilder<Tables, keyof Tables, Row>,
    isSkipping?: boolean,
  ): SelectQueryBuilder<Tables, keyof Tables, Row>;
  /** Lets no other transaction add accounts until this one ends. */
  lockAccounts(trx: Transaction<Tables>): Promise<void>;
  /** Removes deleted data from the database's files, as far as that is possible immediately. */
  forgetDeleted(db: Kysely<Tables>): Promise<void>;
};
