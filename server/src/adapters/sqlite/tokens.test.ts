import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { NewToken } from "../../ports/token-store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");

function toToken(id: string, hash = `hash of ${id}`): NewToken {
  return { id, hash, name: id, prefix: "rbs_abcd", createdAt: NOW };
}

/** Books on disk, with an account that has the token `first`. */
async function openBooks() {
  const folder = await mkdtemp(join(tmpdir(), "rbs-tokens-"));
  const file = join(folder, "books.sqlite");
  const store = await openSqliteStore(file);
  const account = { id: "account", email: "one@example.com", hasAdditionalUnits: false, createdAt: NOW };
  await store.accounts.create(
    { ...account, plan: undefined, parallel: undefined, units: undefined, isDisabled: false, isOperator: false },
    { token: toToken("first") },
  );
  return {
    tokens: store.tokens,
    /** Hashes of all tokens that stand in the file, whatever becomes of them. */
    kept(): unknown[] {
      using database = new DatabaseSync(file, { readOnly: true });
      return database
        .prepare("select hash from tokens order by 1")
        .all()
        .map(({ hash }) => hash);
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

test("nothing is kept of a token that is revoked, renewed or replaced", async () => {
  await using books = await openBooks();
  const { tokens } = books;
  await tokens.add("account", toToken("second"), 9);
  expect(await tokens.revoke("account", "first")).toBe(true);
  expect(await tokens.revoke("account", "first")).toBe(false);
  expect(books.kept()).toEqual(["hash of second"]);
  expect(await tokens.renew("account", "second", "rbs_abcd", { hash: "renewed", prefix: "rbs_efgh" }, NOW)).toBe(true);
  expect(books.kept()).toEqual(["renewed"]);
  await tokens.replaceAll("account", toToken("third"));
  expect(books.kept()).toEqual(["hash of third"]);
});

test("a token that somebody has chosen can be given again, in its own place and after it was revoked", async () => {
  await using books = await openBooks();
  const { tokens } = books;
  await tokens.replaceAll("account", toToken("again", "hash of first"));
  expect(await tokens.findAccount("hash of first")).toMatchObject({ id: "account" });
  await tokens.revoke("account", "again");
  expect(await tokens.findAccount("hash of first")).toBeUndefined();
  await tokens.replaceAll("account", toToken("and again", "hash of first"));
  expect(await tokens.list("account")).toMatchObject([{ id: "and again" }]);
});
