import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { NewToken } from "../../../ports/store/token-store.ts";
import { openTestStore } from "../../../../test/support/databases/stores.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");

function toToken(id: string, hash = `hash of ${id}`): NewToken {
  return { id, hash, name: id, prefix: "rbs_abcd", createdAt: NOW };
}

/** Opens a database on disk, with an account that has the token `first`. */
async function openStore() {
  const folder = await mkdtemp(join(tmpdir(), "rbs-tokens-"));
  const file = join(folder, "store.sqlite");
  const store = await openTestStore(file);
  const account = { id: "account", email: "one@example.com", hasAdditionalUnits: false, createdAt: NOW, version: 0 };
  await store.accounts.create(
    { ...account, plan: undefined, parallel: undefined, units: undefined, isDisabled: false, isOperator: false },
    { token: toToken("first") },
  );
  return {
    tokens: store.tokens,
    /** Returns the hashes of all tokens in the file. */
    readHashes(): unknown[] {
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

test("a revoked, renewed or replaced token leaves no data behind", async () => {
  await using opened = await openStore();
  const { tokens } = opened;
  await tokens.add("account", toToken("second"), 9);
  expect(await tokens.revoke("account", "first")).toBe(true);
  expect(await tokens.revoke("account", "first")).toBe(false);
  expect(opened.readHashes()).toEqual(["hash of second"]);
  expect(await tokens.renew("account", "second", "rbs_abcd", { hash: "renewed", prefix: "rbs_efgh" }, NOW)).toBe(true);
  expect(opened.readHashes()).toEqual(["renewed"]);
  await tokens.replaceAll("account", toToken("third"));
  expect(opened.readHashes()).toEqual(["hash of third"]);
});

test("a chosen token can be set again, whether it is still valid or was revoked", async () => {
  await using opened = await openStore();
  const { tokens } = opened;
  await tokens.replaceAll("account", toToken("again", "hash of first"));
  expect(await tokens.findAccount("hash of first")).toMatchObject({ id: "account" });
  await tokens.revoke("account", "again");
  expect(await tokens.findAccount("hash of first")).toBeUndefined();
  await tokens.replaceAll("account", toToken("and again", "hash of first"));
  expect(await tokens.list("account")).toMatchObject([{ id: "and again" }]);
});
