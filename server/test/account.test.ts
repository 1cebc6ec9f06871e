import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools } from "./support/devtools-client.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { type Home, openHome } from "./support/home.ts";
import { newPageUser, signIn } from "./support/page-user.ts";
import { lastEnds, type RealServer, startServer } from "./support/real-server.ts";

const EMAIL = "person@example.com";
const SHELL = { Browser: 3 };

let server: RealServer;
let home: Home;

beforeAll(async () => {
  server = await startServer({ plans: { small: { parallel: 2, unitsPerMonth: 100 }, big: { parallel: 9 } } });
  ({ home } = server);
});

afterAll(() => server[Symbol.asyncDispose]());

/** All tables of the database, as JSON. */
function readTables(dataDir: string): string {
  using database = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  return JSON.stringify(tables.map(({ name }) => database.prepare(`select * from "${String(name)}"`).all()));
}

test("an account created beside a running server works at once, and changes take effect at once", async () => {
  const made = await home.accountJson("create", "--email", EMAIL, "--plan", "small", "--parallel", "1", "--units", "3");
  expect(made).toMatchObject({ email: EMAIL, plan: "small", parallel: 1, units: 3, disabled: false });
  const token = String(made["token"]);
  expect(token).toMatch(/^rbs_[\w-]{43}$/);

  const address = await server.open(SHELL, token);
  expect(await server.post("Open", SHELL, token)).toMatchObject({ status: 404, body: { name: "BrowserLimit" } });
  expect(await home.report(EMAIL)).toMatchObject({ unitsUsed: 1, openBrowsers: 1 });

  // Without --parallel, the plan's own limit applies again.
  expect(await home.accountJson("plan", "--email", EMAIL, "--plan", "small")).toMatchObject({ parallel: null });
  const second = await server.open(SHELL, token);
  expect(await server.post("Open", SHELL, token)).toMatchObject({ status: 404 });

  expect(await home.accountJson("units", "--email", EMAIL, "--units", "2")).toMatchObject({ units: 2, unitsUsed: 2 });
  expect(await server.post("Open", SHELL, token)).toMatchObject({ status: 403, body: { name: "NoUnits" } });
  expect(await home.accountJson("units", "--email", EMAIL, "--units", "plan")).toMatchObject({ units: null });
  expect(await server.post("Open", SHELL, token)).toMatchObject({ status: 404 });

  expect(await home.accountJson("plan", "--email", EMAIL, "--plan", "none")).toMatchObject({ plan: null });
  expect(await server.post("Open", SHELL, token)).toMatchObject({ status: 402, body: { name: "NoSubscription" } });

  await Promise.all([address, second].map((one) => server.close(one, token)));
  await expectNothingHeld(server);
  expect(await home.report(EMAIL)).toMatchObject({ openBrowsers: 0, unitsUsed: 2 });
});

test("a new token works at once and the old one stops working at once, while open browsers stay open", async () => {
  const old = await home.newAccount("renewed@example.com");
  const address = await server.open(SHELL, old);
  await using client = await connectDevtools(address);
  const { token } = await home.accountJson("token", "--email", "renewed@example.com");
  expect(await server.get(old)).toMatchObject({ status: 401, body: { name: "AuthorizationError" } });
  expect(await server.addresses(String(token))).toEqual([address]);
  expect(await client.command("Browser.getVersion")).toMatchObject({ protocolVersion: "1.3" });

  const chosen = "a-token-that-I-chose";
  const renewed = await home.accountJson("token", "--email", "RENEWED@example.com", "--token", chosen);
  expect(renewed).toMatchObject({ token: chosen });
  expect(await server.get(String(token))).toMatchObject({ status: 401 });
  await server.close(address, chosen);
});

test("a new account signs in with its initial password until the password changes", async () => {
  const email = "signs-in@example.com";
  const made = await home.accountJson("create", "--email", email, "--plan", "small");
  const user = await signIn(server.url, email, String(made["password"]));
  expect((await user.get("/dashboard")).status).toBe(200);
  const { password } = await home.accountJson("password", "--email", email);
  expect((await user.get("/dashboard")).status).toBe(303);
  await expect(signIn(server.url, email, String(made["password"]))).rejects.toThrow("gave 401");
  expect((await (await signIn(server.url, email, String(password))).get("/dashboard")).status).toBe(200);
});

test("operator rights take effect at once, on creation and later", async () => {
  const email = "second-operator@example.com";
  const made = await home.accountJson("create", "--email", email, "--plan", "none", "--operator", "on");
  expect(made).toMatchObject({ plan: null, operator: true });
  const user = await signIn(server.url, email, String(made["password"]));
  expect((await user.get("/operator")).status).toBe(200);
  await home.accountJson("operator", "--email", email, "--rights", "off");
  expect((await user.get("/operator")).status).toBe(404);
  expect(await home.accountJson("operator", "--email", email, "--rights", "on")).toMatchObject({ operator: true });
  expect((await user.get("/operator")).status).toBe(200);
});

test.each([["disable"], ["delete", "--yes"]])(
  "%s beside a running server ends the browsers and sessions of that account only",
  async (command, ...flags) => {
    const email = `${command}@example.com`;
    const made = await home.accountJson("create", "--email", email, "--plan", "big");
    const [token, password] = [String(made["token"]), String(made["password"])];
    const user = await signIn(server.url, email, password);
    const other = await server.open(SHELL);
    const address = await server.open({ ...SHELL, Label: "goes with its owner" }, token);
    await using client = await connectDevtools(address);
    const report = await home.accountJson(command, "--email", email, ...flags);
    expect(report).toMatchObject(command === "delete" ? { deleted: email } : { disabled: true });
    expect(await client.closed).toMatchObject({ code: 1008, reason: "browser closed: disabled" });
    expect(await server.get(token)).toMatchObject({ status: 401 });
    expect((await user.get("/dashboard")).status).toBe(303);
    expect((await newPageUser(server.url).post("/sign-in", { email, password })).status).toBe(401);
    expect(await server.addresses()).toEqual([other]);
    await server.close(other);
    expect(await lastEnds(server, 2)).toMatchObject([{ reason: "disabled" }, { reason: "requested" }]);
  },
);

test("a deleted account disappears from the list with all personal data, and its email is free", async () => {
  const email = "Forgotten@example.com";
  const made = await home.accountJson("create", "--email", email, "--plan", "self-hosted");
  const token = String(made["token"]);
  const address = await server.open({ ...SHELL, Label: "a-label-of-mine" }, token);
  await server.close(address, token);
  await expectNothingHeld(server);
  expect(readTables(home.dataDir)).toContain('"a-label-of-mine"');
  expect(await home.accountJson("delete", "--email", "forgotten@EXAMPLE.com", "--yes")).toEqual({
    id: made["id"],
    deleted: email,
  });
  expect(await home.report(email)).toEqual({});
  for (const word of ["a-label-of-mine", email, email.toLowerCase()])
    expect(readTables(home.dataDir)).not.toContain(JSON.stringify(word));
  await home.newAccount(email);
});

test("the token of a disabled account opens nothing", async () => {
  const token = await home.newAccount("disabled@example.com");
  expect(await server.get(token)).toMatchObject({ status: 200 });
  expect(await home.accountJson("disable", "--email", "disabled@example.com")).toMatchObject({ disabled: true });
  const answer = await server.post("Open", SHELL, token);
  expect(answer).toMatchObject({ status: 401, body: { name: "AuthorizationError" } });
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
});

test("list shows every account, the operator first, without tokens", async () => {
  const { code, stdout } = await home.account("list");
  expect(code).toBe(0);
  const accounts = JSON.parse(stdout) as Record<string, unknown>[];
  expect(accounts[0]).toMatchObject({ email: "operator@localhost", plan: "self-hosted" });
  for (const account of accounts)
    expect(account).toMatchObject({ id: expect.stringMatching(/^[\w-]{36}$/), unitsUsed: expect.any(Number) });
  expect(stdout).not.toContain("rbs_");
});

test.concurrent.each<[string[], number, RegExp]>([
  [[], 2, /^npm run account -- COMMAND/],
  [["destroy"], 2, /^Unknown command "destroy"\./],
  [["create", "--plan", "small"], 1, /^Set --email\.$/],
  [["create", "--email", "a@b.example"], 1, /^Set --plan\.$/],
  [["create", "--email", "no-address", "--plan", "small"], 1, /^"no-address" is not a valid email address\.$/],
  [["create", "--email", "Operator@LOCALHOST", "--plan", "small"], 1, /already exists\.$/],
  [
    ["create", "--email", "a@b.example", "--plan", "huge"],
    1,
    /^There is no plan "huge"\. Choose one of: .*small, big, none\. Check that RBS_PLANS is the same as for the server\.$/,
  ],
  [["create", "--email", "a@b.example", "--plan", "big", "--parallel", "0"], 1, /^--parallel must be .*"0"\.$/],
  [["create", "--email", "a@b.example", "--plan", "big", "--units", "1.5"], 1, /^--units must be .*"1\.5"\.$/],
  [["create", "--email", "a@b.example", "--plan", "big", "--token", "short"], 1, /^A token needs at least 16/],
  [["create", "--email", "a@b.example", "--plan", "big", "--colour", "red"], 1, /--colour/],
  [
    ["units", "--email", "operator@localhost", "--units", "-1"],
    1,
    /^--units must be a whole number, 0 or more, not "-1"\.$/,
  ],
  [["units", "--email", "operator@localhost"], 1, /^Set --units N/],
  [["units", "--email", "operator@localhost", "--additional", "yes"], 1, /^--additional must be on or off/],
  [["create", "--email", "a@b.example", "--plan", "big", "--operator", "yes"], 1, /^--operator must be on or off/],
  [["password"], 1, /^Set --email\.$/],
  [["operator", "--email", "operator@localhost"], 1, /^Set --rights on or --rights off\.$/],
  [["delete", "--email", "operator@localhost"], 1, /^You can't undo this\. Add --yes .*operator@localhost\.$/],
  [["delete", "--yes"], 1, /^Set --email\.$/],
  [["delete", "--email", "unknown@example.com", "--yes"], 1, /^There is no account with the email address unknown/],
  [["list", "operator@localhost"], 1, /operator@localhost/],
  [
    ["disable", "--email", "unknown@example.com"],
    1,
    /^There is no account with the email address unknown@example\.com\.$/,
  ],
])("%j fails with an error message and prints no JSON", async (args, code, words) => {
  const ended = await home.account(...args);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr.trim()).toMatch(words);
  expect(ended.stderr).not.toMatch(/^ +at /m);
});

test("a refused command changes nothing", async () => {
  expect(await home.report("a@b.example")).toEqual({});
  expect(await home.report("operator@localhost")).toMatchObject({
    units: null,
    additionalUnits: false,
    disabled: false,
    operator: true,
  });
});

test.each([["--help"], ["help"], ["disable", "--help"], ["units", "--units", "-h"]])(
  "%s %s %s prints the help",
  async (...args) => {
    const { code, stdout, stderr } = await home.account(...args);
    expect([code, stderr, stdout]).toEqual([
      0,
      "",
      expect.stringMatching(/^npm run account -- COMMAND\n[^]*delete +--email/),
    ]);
  },
);

test("a command that removes the last operator succeeds with a warning", async () => {
  await using alone = await openHome();
  const email = "only-operator@example.com";
  const made = await alone.accountJson("create", "--email", email, "--plan", "none", "--operator", "on");
  const warning = /^Warning: this service has no operator who can sign in\..*--rights on\n$/;
  for (const [removing, restoring] of [
    [
      ["operator", "--rights", "off"],
      ["operator", "--rights", "on"],
    ],
    [["disable"], ["enable"]],
  ] as const) {
    const removed = await alone.account(...removing, "--email", email);
    expect(removed).toMatchObject({ code: 0, stderr: expect.stringMatching(warning) });
    expect(JSON.parse(removed.stdout)).toMatchObject({ id: made["id"] });
    await alone.accountJson(...restoring, "--email", email);
  }
  await alone.accountJson("create", "--email", "second@example.com", "--plan", "none", "--operator", "on");
  expect(await alone.account("delete", "--email", email, "--yes")).toMatchObject({ code: 0, stderr: "" });
  const last = await alone.account("delete", "--email", "second@example.com", "--yes");
  expect(last).toMatchObject({ code: 0, stderr: expect.stringMatching(warning) });
});
