import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyDatabase } from "../../test/support/databases/stores.ts";
import { runAccount } from "./run-account.ts";

const OPERATOR = "operator@localhost";
const PLANS = { small: { parallel: 2, unitsPerMonth: 100 }, big: { parallel: 9 } };

/** An audit log entry as `audit` prints it. */
type Entry = { readonly act: string; readonly details: object };

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** A data folder, and the program that changes it. Disposing removes the folder. */
type Commands = AsyncDisposable & {
  readonly dataDir: string;
  run(...args: readonly string[]): Promise<Ended>;
  /** Runs the program and expects success. @returns The printed JSON. */
  json(...args: readonly string[]): Promise<Record<string, unknown>>;
};

async function openCommands({ hasDatabase = true } = {}): Promise<Commands> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-account-"));
  const [dataDir, plans] = [join(folder, "data"), join(folder, "plans.json")];
  await writeFile(plans, JSON.stringify(PLANS));
  if (hasDatabase) {
    await mkdir(dataDir, 0o700);
    await writeFile(join(dataDir, "service.sqlite"), await emptyDatabase(), { mode: 0o600 });
  }
  // Without isolation, a command run as root doesn't change the user of this process.
  const settings = { RBS_DATA_DIR: dataDir, RBS_PLANS: plans, RBS_ISOLATION: "none" };
  const run: Commands["run"] = async (...args) => {
    const output = { stdout: "", stderr: "" };
    const to = (name: keyof typeof output) => ({ write: (text: string) => (output[name] += text) });
    const code = await runAccount({ args, settings, stdout: to("stdout"), stderr: to("stderr") });
    return { code, ...output };
  };
  return {
    dataDir,
    run,
    async json(...args) {
      const { code, stdout, stderr } = await run(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

let commands: Commands;
beforeAll(async () => {
  commands = await openCommands();
  await commands.json("create", "--email", OPERATOR, "--plan", "self-hosted", "--operator", "on");
});
afterAll(() => commands[Symbol.asyncDispose]());

test("the audit log records what commands changed, without secrets", async () => {
  const email = "audited@example.com";
  const made = await commands.json("create", "--email", email, "--plan", "small", "--units", "3");
  await commands.json("plan", "--email", email, "--plan", "big");
  await commands.json("units", "--email", email, "--additional", "on");
  const { token } = await commands.json("token", "--email", email, "--token", "a-token-that-I-chose-too");
  const { password } = await commands.json("password", "--email", email);
  await commands.json("operator", "--email", email, "--rights", "on");
  await commands.json("operator", "--email", email, "--rights", "off");
  await commands.json("disable", "--email", email);
  await commands.json("enable", "--email", email);
  await expect(commands.json("plan", "--email", email, "--plan", "huge")).rejects.toThrow();
  const read = async (...args: string[]) => (await commands.json("audit", ...args)) as unknown as Entry[];
  const entries = await read("--email", email);
  expect(entries.toReversed().map(({ act, details }) => [act, details])).toEqual([
    ["created", { plan: "small", units: 3, isOperator: false }],
    ["terms", { plan: "big", parallel: null }],
    ["terms", { hasAdditionalUnits: true }],
    ["token", {}],
    ["password", {}],
    ["rights given", {}],
    ["rights taken", {}],
    ["disabled", {}],
    ["enabled", {}],
  ]);
  const id = String(made["id"]);
  for (const entry of entries)
    expect(entry).toMatchObject({ actor: "command line", actorEmail: null, subject: id, subjectEmail: email });
  await commands.json("delete", "--email", email, "--yes");
  const all = await read();
  expect(all.slice(0, 2)).toMatchObject([
    { act: "deleted", subject: id, subjectEmail: null },
    { act: "enabled", subject: id, subjectEmail: null },
  ]);
  const written = JSON.stringify([...all, ...entries]);
  for (const secret of [token, password, made["token"], made["password"]]) expect(written).not.toContain(secret);
});

test.each<[string[], number, RegExp]>([
  [[], 2, /^Name a command: create, list, /],
  [["lsit"], 2, /^There is no command "lsit"\. Did you mean list\?/],
  [["create", "--plan", "small"], 1, /^Set --email\.$/],
  [["create", "--email", "a@b.example"], 1, /^Set --plan\.$/],
  [
    ["create", "--email", "a@b.example", "--plan", "huge"],
    1,
    /^There is no plan "huge"\. Choose one of: .*small, big, none\. Check that RBS_PLANS is the same as for the server\.$/,
  ],
  [["create", "--email", "a@b.example", "--plan", "big", "--parallel", "0"], 1, /^--parallel must be .*"0"\.$/],
  [
    ["create", "--email", "a@b.example", "--plan", "big", "--emial", "red"],
    2,
    /^There is no option --emial\. Did you mean --email\?/,
  ],
  [["units", "--email", OPERATOR, "--units", "-1"], 1, /^--units must be a whole number, 0 or more, not "-1"\.$/],
  [["units", "--email", OPERATOR], 1, /^Set --units N/],
  [["units", "--email", OPERATOR, "--additional", "yes"], 1, /^--additional must be on or off/],
  [["operator", "--email", OPERATOR], 1, /^Set --rights on or --rights off\.$/],
  [["delete", "--email", OPERATOR], 1, /^You can't undo this\. Add --yes .*operator@localhost\.$/],
  [["delete", "--email", "unknown@example.com", "--yes"], 1, /^There is no account with the email address unknown/],
])("%j fails with an error message and prints no JSON", async (args, code, words) => {
  const ended = await commands.run(...args);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr.trim()).toMatch(words);
  expect(ended.stderr).not.toMatch(/^ +at /m);
});

test("list shows all accounts, operator first, but no tokens; failed commands change nothing", async () => {
  await commands.json("create", "--email", "listed@example.com", "--plan", "small");
  const accounts = (await commands.json("list")) as unknown as Record<string, unknown>[];
  expect(accounts[0]).toMatchObject({
    email: OPERATOR,
    plan: "self-hosted",
    units: null,
    additionalUnits: false,
    disabled: false,
    operator: true,
  });
  expect(accounts).toContainEqual(expect.objectContaining({ email: "listed@example.com", operator: false }));
  expect(accounts).not.toContainEqual(expect.objectContaining({ email: "a@b.example" }));
  for (const account of accounts)
    expect(account).toMatchObject({ id: expect.stringMatching(/^\w{26}$/), unitsUsed: expect.any(Number) });
  expect(JSON.stringify(accounts)).not.toContain("rbs_");
});

test.each([["--help"], ["units", "--units", "-h"]])("%s %s %s prints the help", async (...args) => {
  expect(await commands.run(...args)).toEqual({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^npm run -s admin -- COMMAND\n[^]*delete +--email/),
  });
});

test("a command creates no database, because RBS_DATA_DIR may be wrong", async () => {
  await using wrong = await openCommands({ hasDatabase: false });
  for (const args of [["list"], ["audit"], ["create", "--email", OPERATOR, "--plan", "none"]]) {
    const stderr = `${wrong.dataDir} has no service.sqlite. Set RBS_DATA_DIR to the server's data folder. The first start of the server creates it.\n`;
    expect(await wrong.run(...args)).toEqual({ code: 1, stdout: "", stderr });
  }
  expect(existsSync(wrong.dataDir)).toBe(false);
});

test("a command that removes the last operator succeeds with a warning", async () => {
  await using alone = await openCommands();
  const made = await alone.json("create", "--email", OPERATOR, "--plan", "none", "--operator", "on");
  const warned = {
    code: 0,
    stdout: expect.stringContaining(String(made["id"])),
    stderr: expect.stringMatching(/^Warning: this service has no operator who can sign in\..*--rights on\n$/),
  };
  expect(await alone.run("operator", "--rights", "off", "--email", OPERATOR)).toEqual(warned);
  expect(await alone.run("operator", "--rights", "on", "--email", OPERATOR)).toMatchObject({ code: 0, stderr: "" });
  expect(await alone.run("disable", "--email", OPERATOR)).toEqual(warned);
  expect(await alone.run("delete", "--email", OPERATOR, "--yes")).toEqual(warned);
});
