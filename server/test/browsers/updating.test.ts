import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RecordingLog } from "../fakes/recording-log.ts";
import { writeFirstDatabase } from "../support/databases/first-database.ts";
import { runScript } from "../support/machine/run-script.ts";
import { lockFolder } from "../../src/adapters/sql/sqlite/lock.ts";
import { toPorts } from "../../src/app/compose/ports.ts";
import { openServerStorage } from "../../src/app/compose/storage.ts";
import { readConfig } from "../../src/config/config.ts";

const WITHOUT_STACK = /^[^\n]+\n[^\n]+\n$/;

let folder: string;
let settings: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-updating-"));
  settings = { RBS_DATA_DIR: folder, RBS_WORK_DIR: join(folder, "work") };
  await writeFirstDatabase(join(folder, "service.sqlite"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a command run while an earlier version's server is running prints advice and doesn't change the tables", async () => {
  const [file, copy] = [join(folder, "service.sqlite"), join(folder, "copy")];
  await copyFile(file, copy);
  {
    using _server = lockFolder(join(folder, "server.lock"));
    const refused = await runScript("cli/account.ts", ["list"], { settings });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(`A server is already using the folder ${folder}. Stop it`);
    expect(refused.stderr).toMatch(WITHOUT_STACK);
    expect((await readFile(file)).equals(await readFile(copy))).toBe(true);
  }
  const { code, stdout } = await runScript("cli/account.ts", ["list"], { settings });
  expect({ code, emails: (JSON.parse(stdout) as { email: string }[]).map(({ email }) => email) }).toEqual({
    code: 0,
    emails: ["Operator@localhost", "One@example.com", "two@example.com"],
  });
});

test("a server migrates an earlier version's database, and commands work while the server is running", async () => {
  const config = readConfig(settings);
  await using storage = await openServerStorage(config, toPorts(config, { log: new RecordingLog() }));
  const command = ["units", "--email", "one@example.com", "--additional", "on"];
  expect(await runScript("cli/account.ts", command, { settings })).toMatchObject({ code: 0, stderr: "" });
  expect(await storage.accounts.report("one@example.com")).toMatchObject({ hasAdditionalUnits: true });
});
