import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectExact } from "../../../../test/support/databases/exact.ts";
import { program, startPostgres } from "../../../../test/support/databases/postgres.ts";
import { addOpenBrowser } from "../../../../test/support/browsers/stored-browser.ts";
import { newPostgresStore, openTestPostgresStore } from "../../../../test/support/databases/stores.ts";
import { until } from "../../../../test/support/until.ts";
import type { Store } from "../../../ports/store/store.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");

/** Adds an account with a browser that has ended. */
async function addAccount({ accounts, browsers }: Store, id: string): Promise<void> {
  const none = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  const flags = { isDisabled: false, isOperator: false, createdAt: NOW, version: 0 };
  await accounts.create({ id, email: `${id}@example.com`, ...none, ...flags }, {});
  await addOpenBrowser(browsers, { id: `browser of ${id}`, accountId: id, openedAt: NOW });
  await browsers.close(`browser of ${id}`, { at: NOW, reason: "requested", minutes: 2 });
}

async function readIds(store: Store): Promise<string[]> {
  return (await store.accounts.all("2026-11")).map(({ id }) => id).toSorted();
}

test("a dump restores the state at backup time, and archived logs restore any later state", async () => {
  await using postgres = await startPostgres({
    wal_level: "replica",
    archive_mode: "on",
    archive_command: "cp %p ../archive/%f",
  });
  const { folder, port } = postgres;
  const { uid, gid } = statSync(folder);
  const [archive, data, base, dump] = ["archive", "data", "base", "browsers.dump"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  execFileSync("install", ["-d", "-o", String(uid), "-g", String(gid), archive]);
  const run = (name: string, ...args: readonly string[]): string =>
    execFileSync(program(name), args, { encoding: "utf8", cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const { store, url } = await newPostgresStore(postgres);
  await addAccount(store, "before");

  run("pg_dump", "--format", "custom", "--file", dump, url);
  run("pg_basebackup", "-D", base, "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "--checkpoint=fast");
  await addAccount(store, "kept");
  await postgres.query("select pg_create_restore_point('kept')");
  await addAccount(store, "later");
  await store[Symbol.asyncDispose]();
  const [{ wal } = { wal: "" }] = await postgres.query<{ wal: string }>(
    "select pg_walfile_name(pg_switch_wal()) as wal",
  );
  await until(
    () => postgres.query<{ last: string | null }>("select last_archived_wal as last from pg_stat_archiver"),
    ([row]) => (row?.last ?? "") >= wal,
  );

  // Restores the backup over existing tables and into an empty database, as in docs/storage.md.
  for (const target of [url, await postgres.createDatabase()]) {
    run("pg_restore", "--clean", "--if-exists", "--single-transaction", "--dbname", target, dump);
    await using restored = await openTestPostgresStore(target);
    expect(await readIds(restored)).toEqual(["before"]);
    await addAccount(restored, "after");
    await expectExact((sql) => postgres.query(sql, target));
  }

  await postgres.stop("fast");
  rmSync(data, { recursive: true });
  renameSync(base, data);
  writeFileSync(join(data, "recovery.signal"), "");
  const recovery = [
    "restore_command = 'cp ../archive/%f %p'",
    "recovery_target_name = 'kept'",
    "recovery_target_action = 'promote'",
  ];
  appendFileSync(join(data, "postgresql.auto.conf"), `${recovery.join("\n")}\n`);
  mkdirSync(join(data, "pg_wal"), { recursive: true });
  execFileSync("chown", ["-R", `${uid}:${gid}`, data]);
  await postgres.start();
  await until(
    () => postgres.query<{ recovering: boolean }>("select pg_is_in_recovery() as recovering"),
    ([row]) => row?.recovering === false,
  );
  await using restored = await openTestPostgresStore(url);
  expect(await readIds(restored)).toEqual(["before", "kept"]);
  await addAccount(restored, "after");
  await expectExact((sql) => postgres.query(sql, url));
});
