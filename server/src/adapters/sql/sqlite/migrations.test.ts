import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeFirstDatabase } from "../../../../test/support/databases/first-database.ts";
import { toTimeOrderedId } from "../../../domain/time-ordered-id.ts";
import { openTestStore } from "../../../../test/support/databases/stores.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-migrations-"));
});
afterAll(() => rm(folder, { recursive: true }));

function read(file: string, sql: string): unknown[] {
  const database = new DatabaseSync(file);
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

test("the first version's tables are migrated without data loss", async () => {
  const file = join(folder, "first.sqlite");
  await writeFirstDatabase(file);
  const days = "select browser_id, substr(started_at, 1, 10) as day, account_id, count(*) as units from ledger";
  const [ledger, sums] = [`${days} group by 1, 2 order by 1, 2`, "select * from usage order by 1, 2"].map((sql) =>
    read(file, sql),
  );
  const browsers = "select id, account_id, kind, label, opened_at from browsers";
  const accounts =
    "select id, email, email_key, plan, parallel, units, additional_units, disabled, created_at from accounts order by id";
  // Revoked tokens are dropped.
  const tokens = "select hash, account_id, prefix, created_at from tokens";
  const before = [
    read(file, accounts),
    read(file, `${tokens} where revoked_at is null order by hash`),
    read(file, `${browsers} order by id`),
  ];

  await using store = await openTestStore(file);
  const ended = browsers.replace("id,", "substr(id, 14, 2) as id,").replace("browsers", "ended_browsers order by 1");
  expect([read(file, accounts), read(file, `${tokens} order by hash`), read(file, ended)]).toEqual(before);
  expect(
    read(file, "select substr(browser_id, 14, 2) as browser_id, day, account_id, units from ledger order by 1, 2"),
  ).toEqual(ledger);
  expect(() => read(file, "update ledger set units = 0")).toThrow("append-only");
  // The new ids match the ones that browsers would have received when they were opened.
  const random = Buffer.from("b1").map((byte) => "0123456789abcdefghjkmnpqrstvwxyz".indexOf(String.fromCharCode(byte)));
  const time = toTimeOrderedId(new Date("2026-10-31T23:58:30.000Z"), Buffer.concat([random, Buffer.alloc(14)]));
  expect(read(file, "select id from ended_browsers order by opened_at limit 1")).toEqual([{ id: `br_${time}` }]);
  expect(read(file, "select * from account_load order by 1")).toEqual([
    { account_id: "op", version: 0, barred: 0, opening: 0, open: 0, period: "2026-11", units: 2 },
    { account_id: "u1", version: 0, barred: 0, opening: 0, open: 0, period: "2026-11", units: 2 },
    { account_id: "u2", version: 0, barred: 1, opening: 0, open: 0, period: "", units: 0 },
  ]);
  expect(
    read(file, "select account_id, substr(day, 1, 7) as period, sum(units) as units from daily_usage group by 1, 2"),
  ).toEqual(sums);

  expect(await store.usage.days("u1", "2026-10")).toEqual([{ day: "2026-10-31", units: 2 }]);
  expect(await store.usage.days("u1", "2026-11")).toEqual([
    { day: "2026-11-01", units: 1 },
    { day: "2026-11-05", units: 1 },
  ]);
  const ofU1 = await store.usage.ended("u1", undefined, 9);
  expect(ofU1.map(({ id, units }) => [id.slice(13, 15), units])).toEqual([
    ["b2", 1],
    ["b1", 3],
  ]);
  expect(await store.tokens.findAccount("hash-new")).toMatchObject({ id: "u1", units: 500, isOperator: false });
  expect(await store.tokens.findAccount("hash-old")).toBeUndefined();
  expect(await store.tokens.list("u1")).toMatchObject([{ prefix: "rbs_bbbb", lastUsedAt: undefined }]);
  // The account created on the first start becomes the operator's account, and has no password for signing in.
  expect(await store.accounts.find("op")).toMatchObject({ isOperator: true });
  expect(await store.accounts.readPasswordHash("op")).toBeUndefined();
});

test("browsers that were still open are closed, and no minute is charged twice", async () => {
  const file = join(folder, "going-on.sqlite");
  await writeFirstDatabase(file);
  await using store = await openTestStore(file);
  expect(await store.browsers.charge([{ browserId: "b3", minutes: 3 }])).toBe(0);
  expect(await store.browsers.closeLost()).toBe(0);
  expect(await store.usage.ended("op", undefined, 9)).toMatchObject([
    {
      id: expect.stringMatching(/^br_.{10}b3/),
      units: 2,
      reason: "lost",
      closedAt: new Date("2026-11-05T00:01:01.000Z"),
    },
  ]);
  expect(await store.usage.month("op", "2026-11")).toEqual({
    period: "2026-11",
    units: 2,
    openBrowsers: 0,
    openingBrowsers: 0,
  });
});

test("opening the database a second time changes nothing", async () => {
  const file = join(folder, "twice.sqlite");
  await writeFirstDatabase(file);
  await (await openTestStore(file))[Symbol.asyncDispose]();
  const tables = "select name from sqlite_master where type = 'table' and name not like 'kysely%' order by 1";
  const readAll = (): unknown[] =>
    (read(file, tables) as { name: string }[]).map(({ name }) => [
      name,
      read(file, `select * from ${name} order by 1, 2`),
    ]);
  const before = readAll();
  await (await openTestStore(file))[Symbol.asyncDispose]();
  expect(readAll()).toEqual(before);
});
