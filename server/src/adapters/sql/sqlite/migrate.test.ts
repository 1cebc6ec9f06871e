import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { MigrationProvider } from "kysely/migration";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeFirstDatabase } from "../../../../test/support/databases/first-database.ts";
import { newSqliteDialect } from "./dialect.ts";
import { FolderInUse } from "../../../ports/store/store.ts";
import { lockFolder } from "./lock.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { openTestStore } from "../../../../test/support/databases/stores.ts";

const SECOND = "0002-passwords-sessions-days";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-migrate-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Everything in the file: tables, indexes and rows. */
function readAll(file: string): unknown {
  using database = new DatabaseSync(file);
  const made = database.prepare("select type, name, sql from sqlite_master order by 1, 2").all();
  const tables = made.filter(({ type }) => type === "table").map(({ name }) => String(name));
  return [made, tables.map((name) => database.prepare(`select * from "${name}" order by 1, 2`).all())];
}

async function migrateBy(provider: MigrationProvider, file: string, claim: () => Disposable): Promise<void> {
  using database = new DatabaseSync(file);
  await migrate(new Kysely({ dialect: newSqliteDialect(database) }), provider, database, claim);
}

const unclaimed = (): Disposable => ({ [Symbol.dispose]() {} });

test("a migration that fails at its last step changes nothing, and the next start reruns it in full", async () => {
  const file = join(folder, "failing.sqlite");
  await writeFirstDatabase(file);
  const before = readAll(file);
  const all = await migrations.getMigrations();
  const failing: MigrationProvider = {
    getMigrations: async () => ({
      ...all,
      [SECOND]: {
        async up(db) {
          await all[SECOND]?.up(db);
          throw new Error("disk full");
        },
      },
    }),
  };
  const lock = join(folder, "failing.lock");
  await expect(migrateBy(failing, file, () => lockFolder(lock))).rejects.toThrow("disk full");
  lockFolder(lock)[Symbol.dispose]();
  expect(readAll(file)).toEqual(before);
  await using store = await openTestStore(file);
  expect(await store.accounts.find("u1")).toMatchObject({ units: 500, isOperator: false });
});

test("a process killed during a migration changes nothing, and the next start reruns it in full", async () => {
  const file = join(folder, "killed.sqlite");
  await writeFirstDatabase(file);
  const before = readAll(file);
  const script = `
    const { DatabaseSync } = await import("node:sqlite");
    const { prepare } = DatabaseSync.prototype;
    DatabaseSync.prototype.prepare = function (sql) {
      if (/drop table usage/.test(sql)) process.kill(process.pid, "SIGKILL");
      return prepare.call(this, sql);
    };
    const { openTestStore } = await import(process.argv[1]);
    await openTestStore(process.argv[2]);
  `;
  const args = [
    "--input-type=module",
    "-e",
    script,
    import.meta.resolve("../../../../test/support/databases/stores.ts"),
    file,
  ];
  const other = spawn(process.execPath, args, { stdio: "inherit" });
  expect(await once(other, "exit")).toEqual([null, "SIGKILL"]);
  expect(readAll(file)).toEqual(before);
  await using store = await openTestStore(file);
  expect(await store.usage.month("u1", "2026-10")).toMatchObject({ units: 2 });
});

test("a migration requires a claim, and changes nothing if it is refused; up-to-date tables need no claim", async () => {
  const file = join(folder, "claimed.sqlite");
  const lock = join(folder, "claimed.lock");
  await writeFirstDatabase(file);
  const before = readAll(file);
  const claim = (): Disposable => lockFolder(lock);
  {
    using _held = lockFolder(lock);
    await expect(migrateBy(migrations, file, claim)).rejects.toThrow(FolderInUse);
    expect(readAll(file)).toEqual(before);
  }
  await migrateBy(migrations, file, claim);
  expect(readAll(file)).not.toEqual(before);
  using _held = lockFolder(lock);
  await migrateBy(migrations, file, claim);
});

test("if two processes start at the same time, only one of them migrates the tables", async () => {
  const file = join(folder, "two.sqlite");
  await writeFirstDatabase(file);
  const claims: string[] = [];
  const script = `
    const { openTestStore } = await import(process.argv[1]);
    await using store = await openTestStore(process.argv[2], () => {
      process.stdout.write("claimed");
      return { [Symbol.dispose]() {} };
    });
  `;
  const args = [
    "--input-type=module",
    "-e",
    script,
    import.meta.resolve("../../../../test/support/databases/stores.ts"),
    file,
  ];
  const all = [1, 2].map(async () => {
    const one = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    one.stdout.on("data", (text: Buffer) => claims.push(text.toString()));
    return once(one, "close");
  });
  expect(await Promise.all(all)).toEqual(all.map(() => [0, null]));
  expect(claims).toEqual(["claimed"]);
});

test("tables from a newer version are rejected and left unchanged", async () => {
  const file = join(folder, "later.sqlite");
  await (await openTestStore(file))[Symbol.asyncDispose]();
  const before = readAll(file);
  const all = await migrations.getMigrations();
  const earlier = Object.fromEntries(Object.entries(all).filter(([name]) => name !== SECOND));
  await expect(migrateBy({ getMigrations: async () => earlier }, file, unclaimed)).rejects.toThrow(SECOND);
  expect(readAll(file)).toEqual(before);
});
