import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { StoreUnavailable } from "../../../ports/store/store.ts";
import { newSqliteDialect } from "./dialect.ts";

test("a transaction on a full disk fails as unavailable, and the next one works", async () => {
  const database = new DatabaseSync(":memory:");
  await using db = new Kysely<{ notes: { text: string } }>({ dialect: newSqliteDialect(database) });
  await sql`create table notes (text text)`.execute(db);
  const add = (length: number): Promise<unknown> =>
    db.transaction().execute((inside) =>
      inside
        .insertInto("notes")
        .values({ text: "x".repeat(length) })
        .execute(),
    );
  database.exec("pragma max_page_count = 4");
  const failure = await add(1_000_000).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreUnavailable);
  expect(failure).toMatchObject({ message: expect.stringMatching(/full/) });
  await add(10);
  expect(await db.selectFrom("notes").selectAll().execute()).toHaveLength(1);
});
