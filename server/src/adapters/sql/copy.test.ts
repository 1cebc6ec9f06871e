import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Postgres, startPostgres } from "../../../test/support/databases/postgres.ts";
import { addOpenBrowser } from "../../../test/support/browsers/stored-browser.ts";
import { openTestPostgresStore, openTestStore } from "../../../test/support/databases/stores.ts";
import { type Act, COMMAND_LINE } from "../../ports/store/audit-store.ts";
import type { Store } from "../../ports/store/store.ts";
import { copyTables, openPostgresTables, openSqliteTables } from "./copy.ts";

const NOW = new Date("2026-11-21T23:58:00.000Z");

const ACT: Act = {
  id: "act",
  at: NOW,
  actor: COMMAND_LINE,
  act: "terms",
  subject: "one",
  details: { plan: "small", parallel: null },
};

let folder: string;
let postgres: Postgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-copy-"));
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** @param ended The number of ended browsers. */
async function fill(store: Store, ended: number): Promise<void> {
  const none = { plan: "small", parallel: undefined, units: 70, hasAdditionalUnits: true };
  const flags = { isDisabled: false, isOperator: true, createdAt: NOW, version: 0 };
  const token = { id: "token", name: "first", hash: "hash", prefix: "rbs_abcd", createdAt: NOW };
  await store.accounts.create({ id: "one", email: "One@example.com", ...none, ...flags }, { passwordHash: "p", token });
  await store.accounts.setProviderKey("one", "sealed");
  await store.sessions.add({ hash: "session", accountId: "one", createdAt: NOW, expiresAt: new Date("2027-01-01") });
  for (let index = 0; index < ended; index += 1) {
    await addOpenBrowser(store.browsers, { id: `b${index}`, accountId: "one", openedAt: NOW, label: `label ${index}` });
    await store.browsers.close(`b${index}`, { at: NOW, reason: "requested", minutes: 3 });
  }
  await store.queries.addTokens("one", "2026-11-21", 12);
  await store.audit.add(ACT);
}

test("a copy to PostgreSQL and back is complete, and a target with rows is refused", async () => {
  const [first, last] = [join(folder, "first.sqlite"), join(folder, "last.sqlite")];
  {
    await using store = await openTestStore(first);
    // More than one batch.
    await fill(store, 1100);
  }
  const url = await postgres.createDatabase();
  await using source = await openSqliteTables(first);
  await using middle = await openPostgresTables(url);
  await using target = await openSqliteTables(last);
  const counts = {
    accounts: 1,
    tokens: 1,
    sessions: 1,
    account_load: 1,
    ended_browsers: 1100,
    keyed_browsers: 0,
    ledger: 2200,
    daily_usage: 2,
    audit: 1,
  };
  expect(await copyTables(source.db, middle.db)).toEqual({ ...counts, query_tokens: 1 });
  expect(await copyTables(middle.db, target.db)).toEqual({ ...counts, query_tokens: 1 });
  await expect(copyTables(source.db, middle.db)).rejects.toThrow("isn't empty: it has rows in accounts");
  await using store = await openTestPostgresStore(url);
  expect(await store.tokens.findAccount("hash")).toMatchObject({ email: "One@example.com", units: 70 });
  expect(await store.audit.list({ subject: "one" })).toEqual([ACT]);
  expect(await store.usage.month("one", "2026-11")).toMatchObject({ units: 3300, openBrowsers: 0 });
  const read = ({ db }: typeof source) =>
    Promise.all([
      db.selectFrom("accounts").selectAll().execute(),
      db.selectFrom("account_load").selectAll().execute(),
      db.selectFrom("ended_browsers").selectAll().orderBy("id").execute(),
      db.selectFrom("audit").selectAll().execute(),
      db.selectFrom("ledger").selectAll().orderBy("browser_id").orderBy("day").execute(),
    ]);
  expect(await read(target)).toEqual(await read(source));
});

test("a database with open browsers isn't copied", async () => {
  const file = join(folder, "open.sqlite");
  {
    await using store = await openTestStore(file);
    await fill(store, 1);
    await addOpenBrowser(store.browsers, { id: "open", accountId: "one", openedAt: NOW });
  }
  await using source = await openSqliteTables(file);
  await using target = await openPostgresTables(await postgres.createDatabase());
  await expect(copyTables(source.db, target.db)).rejects.toThrow("Browsers are open");
  expect(await target.db.selectFrom("accounts").selectAll().execute()).toEqual([]);
});
