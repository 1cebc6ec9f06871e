import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type Home, openHome } from "../support/servers/home.ts";
import { newPageUser, signIn } from "../support/pages/page-user.ts";
import { lastEnds, type RealServer, startServer } from "../support/servers/real-server.ts";

const EMAIL = "person@example.com";
const SHELL = { Browser: 3 };

/** An act in the output of `audit`. */
type Entry = { readonly act: string; readonly details: object };

let server: RealServer;
let home: Home;

beforeAll(async () => {
  server = await startServer({ plans: { small: { parallel: 2, unitsPerMonth: 100 }, big: { parallel: 9 } } });
  ({ home } = server);
});

afterAll(() => server[Symbol.asyncDispose]());

test("accounts that commands create and change beside a running server work immediately", async () => {
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

test("the audit log contains commands' changes without secrets", async () => {
  const email = "audited@example.com";
  const made = await home.accountJson("create", "--email", email, "--plan", "small", "--units", "3");
  await home.accountJson("plan", "--email", email, "--plan", "big");
  await home.accountJson("units", "--email", email, "--additional", "on");
  const { token } = await home.accountJson("token", "--email", email, "--token", "a-token-that-I-chose-too");
  const { password } = await home.accountJson("password", "--email", email);
  await home.accountJson("operator", "--email", email, "--rights", "on");
  await home.accountJson("operator", "--email", email, "--rights", "off");
  await home.accountJson("disable", "--email", email);
  await home.accountJson("enable", "--email", email);
  await expect(home.accountJson("plan", "--email", email, "--plan", "huge")).rejects.toThrow();
  const read = async (...args: string[]) => (await home.accountJson("audit", ...args)) as unknown as Entry[];
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
  await home.accountJson("delete", "--email", email, "--yes");
  const all = await read();
  expect(all.slice(0, 2)).toMatchObject([
    { act: "deleted", subject: id, subjectEmail: null },
    { act: "enabled", subject: id, subjectEmail: null },
  ]);
  const written = JSON.stringify([...all, ...entries]);
  for (const secret of [token, password, made["token"], made["password"]]) expect(written).not.toContain(secret);
});

test("a new token replaces the old token immediately, and open browsers stay open", async () => {
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

test("an account signs in with its latest password, and operator rights take effect immediately", async () => {
  const email = "second-operator@example.com";
  const made = await home.accountJson("create", "--email", email, "--plan", "none", "--operator", "on");
  expect(made).toMatchObject({ plan: null, operator: true });
  const user = await signIn(server.url, email, String(made["password"]));
  expect((await user.get("/operator")).status).toBe(200);
  await home.accountJson("operator", "--email", email, "--rights", "off");
  expect((await user.get("/operator")).status).toBe(404);
  expect(await home.accountJson("operator", "--email", email, "--rights", "on")).toMatchObject({ operator: true });
  expect((await user.get("/operator")).status).toBe(200);

  const { password } = await home.accountJson("password", "--email", email);
  expect((await user.get("/dashboard")).status).toBe(303);
  await expect(signIn(server.url, email, String(made["password"]))).rejects.toThrow("gave 401");
  expect((await (await signIn(server.url, email, String(password))).get("/dashboard")).status).toBe(200);
});

test.each([["disable"], ["delete", "--yes"]])(
  "%s beside a running server ends only that account's browsers and sessions",
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
    const reasons = (await lastEnds(server, 2)).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(["disabled", "requested"]));
  },
);

test.concurrent.each<[string[], number, RegExp]>([
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
  [
    ["units", "--email", "operator@localhost", "--units", "-1"],
    1,
    /^--units must be a whole number, 0 or more, not "-1"\.$/,
  ],
  [["units", "--email", "operator@localhost"], 1, /^Set --units N/],
  [["units", "--email", "operator@localhost", "--additional", "yes"], 1, /^--additional must be on or off/],
  [["operator", "--email", "operator@localhost"], 1, /^Set --rights on or --rights off\.$/],
  [["delete", "--email", "operator@localhost"], 1, /^You can't undo this\. Add --yes .*operator@localhost\.$/],
  [["delete", "--email", "unknown@example.com", "--yes"], 1, /^There is no account with the email address unknown/],
])("%j fails with an error message and prints no JSON", async (args, code, words) => {
  const ended = await home.account(...args);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr.trim()).toMatch(words);
  expect(ended.stderr).not.toMatch(/^ +at /m);
});

test("list shows every account without tokens, the operator first, and refused commands change nothing", async () => {
  const { code, stdout } = await home.account("list");
  expect(code).toBe(0);
  const accounts = JSON.parse(stdout) as Record<string, unknown>[];
  expect(accounts[0]).toMatchObject({
    email: "operator@localhost",
    plan: "self-hosted",
    units: null,
    additionalUnits: false,
    disabled: false,
    operator: true,
  });
  expect(accounts).not.toContainEqual(expect.objectContaining({ email: "a@b.example" }));
  for (const account of accounts)
    expect(account).toMatchObject({ id: expect.stringMatching(/^\w{26}$/), unitsUsed: expect.any(Number) });
  expect(stdout).not.toContain("rbs_");
});

test.each([["--help"], ["units", "--units", "-h"]])("%s %s %s prints the help", async (...args) => {
  const { code, stdout, stderr } = await home.account(...args);
  expect([code, stderr, stdout]).toEqual([
    0,
    "",
    expect.stringMatching(/^npm run -s admin -- COMMAND\n[^]*delete +--email/),
  ]);
});

test("a command doesn't create a database, because its folder may be wrong", async () => {
  await using wrong = await openHome();
  for (const args of [["list"], ["audit"], ["create", "--email", EMAIL, "--plan", "none"]]) {
    const stderr = `${wrong.dataDir} has no service.sqlite. Set RBS_DATA_DIR to the server's data folder. The first start of the server creates it.\n`;
    expect(await wrong.account(...args)).toMatchObject({ code: 1, stdout: "", stderr });
  }
  expect(existsSync(wrong.dataDir)).toBe(false);
});

test("a command that removes the last operator succeeds with a warning", async () => {
  await using alone = await openHome();
  const email = "operator@localhost";
  await (await startServer({ isFake: true }, alone))[Symbol.asyncDispose]();
  const [made = {}] = (await alone.accountJson("list")) as unknown as Record<string, unknown>[];
  const warned = {
    code: 0,
    stdout: expect.stringContaining(String(made["id"])),
    stderr: expect.stringMatching(/^Warning: this service has no operator who can sign in\..*--rights on\n$/),
  };
  expect(await alone.account("operator", "--rights", "off", "--email", email)).toMatchObject(warned);
  expect(await alone.account("operator", "--rights", "on", "--email", email)).toMatchObject({ code: 0, stderr: "" });
  expect(await alone.account("disable", "--email", email)).toMatchObject(warned);
  expect(await alone.account("delete", "--email", email, "--yes")).toMatchObject(warned);
});
