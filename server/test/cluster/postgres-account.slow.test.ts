import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEY } from "../support/servers/deployment.ts";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { expectExact } from "../support/databases/exact.ts";
import { openHome } from "../support/servers/home.ts";
import { startPostgres } from "../support/databases/postgres.ts";
import { signIn } from "../support/pages/page-user.ts";
import { startServer } from "../support/servers/real-server.ts";
import { runScript } from "../support/machine/run-script.ts";
import { until } from "../support/until.ts";

const EMAIL = "person@example.com";
/** A server rereads a token after at most 0.8 s. */
const REVOKED_MS = 1500;

test("all commands work on PostgreSQL while a server runs, and copying to SQLite and back preserves all accounts", async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const settings = { RBS_DATABASE_URL: url, RBS_LOG_LEVEL: "warn" };
  await using home = await openHome({ ...settings, RBS_SECRET_KEY: KEY });
  await home.setPlans({ small: { parallel: 2, unitsPerMonth: 100 } });
  const file = join(home.dataDir, "service.sqlite");
  const change = (command: string, ...args: readonly string[]) => home.accountJson(command, "--email", EMAIL, ...args);

  expect(await home.accountJson("migrate")).toEqual({ applied: expect.arrayContaining(["0001-tables"]) });
  expect(await home.accountJson("migrate")).toEqual({ applied: [] });

  await using server = await startServer({ isFake: true }, home);
  const made = await change("create", "--plan", "small", "--parallel", "1", "--units", "3");
  expect(made).toMatchObject({ email: EMAIL, plan: "small", parallel: 1, units: 3, operator: false, disabled: false });
  const again = await home.account("create", "--email", EMAIL.toUpperCase(), "--plan", "small");
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/already/) });
  const old = String(made["token"]);
  await server.open({}, old);
  expect(await server.post("Open", {}, old)).toMatchObject({ status: 404, body: { name: "BrowserLimit" } });
  expect(await change("plan", "--plan", "small")).toMatchObject({ parallel: null });
  const address = await server.open({}, old);
  expect(await change("plan", "--plan", "small", "--parallel", "9")).toMatchObject({ parallel: 9 });
  expect(await change("units", "--units", "2")).toMatchObject({ units: 2, unitsUsed: 2, openBrowsers: 2 });
  expect(await server.post("Open", {}, old)).toMatchObject({ status: 403, body: { name: "NoUnits" } });
  expect(await change("units", "--additional", "on")).toMatchObject({ additionalUnits: true });
  await server.close(await server.open({}, old), old);

  const { token: renewed } = await change("token");
  const token = String(renewed);
  await until(
    async () => (await server.get(old)).status,
    (status) => status === 401,
    REVOKED_MS,
  );
  expect(await server.addresses(token)).toHaveLength(2);

  const user = await signIn(server.url, EMAIL, String(made["password"]));
  expect(await change("operator", "--rights", "on")).toMatchObject({ operator: true });
  expect((await user.get("/operator")).status).toBe(200);
  const { password } = await change("password");
  expect((await user.get("/dashboard")).status).toBe(303);
  const renewedUser = await signIn(server.url, EMAIL, String(password));

  await using client = await connectDevtools(address);
  expect(await change("disable")).toMatchObject({ disabled: true });
  expect(await client.closed).toMatchObject({ code: 1008, reason: "browser closed: disabled" });
  expect((await renewedUser.get("/dashboard")).status).toBe(303);
  expect((await server.get(token)).status).toBe(401);
  expect(await change("enable")).toMatchObject({ disabled: false });
  expect(await server.addresses(token)).toEqual([]);
  await expectExact((sql) => postgres.query(sql, url));

  // A killed server leaves its browser's address in the database.
  await server.open({}, token);
  server.signal("SIGKILL");
  await server.ended;
  const newKey = randomBytes(32).toString("base64");
  await using next = await openHome({ ...settings, RBS_SECRET_KEY: `${newKey}\n${KEY}` });
  expect(await next.accountJson("rekey")).toEqual({ providerKeys: 0, addresses: 1 });
  expect(await next.accountJson("rekey")).toEqual({ providerKeys: 0, addresses: 0 });
  const early = await home.account("copy", "--from", url, "--to", file);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Browsers are open .*\n$/) });

  {
    await using restarted = await startServer({ isFake: true }, home);
    const removed = await home.account("operator", "--email", "operator@localhost", "--rights", "off");
    expect(removed).toMatchObject({ code: 0, stderr: "" });
    const { stdout: deleted, stderr: warning } = await home.account("delete", "--email", EMAIL, "--yes");
    expect(JSON.parse(deleted)).toMatchObject({ deleted: EMAIL });
    expect(warning).toMatch(/^Warning: this service has no operator/);
    expect((await restarted.get(token)).status).toBe(401);
  }
  const { stdout: list, stderr } = await home.account("list");
  expect([JSON.parse(list), stderr]).toMatchObject([[{ email: "operator@localhost", operator: false }], ""]);

  const copied = await home.accountJson("copy", "--from", url, "--to", file);
  expect(copied).toMatchObject({ accounts: 2, ended_browsers: 4 });
  const listOf = async (database: Readonly<Record<string, string>>): Promise<string> => {
    const { RBS_DATABASE_URL: _, ...others } = home.settings;
    const { stdout } = await runScript("cli/account.ts", ["list"], { settings: { ...others, ...database } });
    return stdout;
  };
  expect(await listOf({})).toBe(list);
  const secondUrl = await postgres.createDatabase();
  expect(await home.accountJson("copy", "--from", file, "--to", secondUrl)).toEqual(copied);
  expect(await listOf({ RBS_DATABASE_URL: secondUrl })).toBe(list);
  const full = await home.account("copy", "--from", url, "--to", secondUrl);
  expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/isn't empty: it has rows in accounts\.\n$/) });
});
