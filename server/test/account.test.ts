import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools } from "./support/devtools-client.ts";
import { expectNothingHeld } from "./support/held.ts";
import { type Home } from "./support/home.ts";
import { type RealServer, startServer } from "./support/real-server.ts";

const EMAIL = "person@example.com";
const SHELL = { Browser: 3 };

let server: RealServer;
let home: Home;

beforeAll(async () => {
  server = await startServer({ plans: { small: { parallel: 2, unitsPerMonth: 100 }, big: { parallel: 9 } } });
  ({ home } = server);
});

afterAll(() => server[Symbol.asyncDispose]());

test("an account made beside a running server works at once, and each change of it counts from then on", async () => {
  const made = await home.accountJson("create", "--email", EMAIL, "--plan", "small", "--parallel", "1", "--units", "3");
  expect(made).toMatchObject({ email: EMAIL, plan: "small", parallel: 1, units: 3, disabled: false });
  const token = String(made["token"]);
  expect(token).toMatch(/^rbs_[\w-]{43}$/);

  const address = await server.open(SHELL, token);
  expect(await server.post("Open", SHELL, token)).toMatchObject({ status: 404, body: { name: "BrowserLimit" } });
  expect(await home.report(EMAIL)).toMatchObject({ unitsUsed: 1, openBrowsers: 1 });

  // Without --parallel, the plan's own limit counts again.
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

test("a new token works at once and the old one stops at once, while open browsers stay", async () => {
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

test("the token of a disabled account opens nothing", async () => {
  const token = await home.newAccount("disabled@example.com");
  expect(await server.get(token)).toMatchObject({ status: 200 });
  expect(await home.accountJson("disable", "--email", "disabled@example.com")).toMatchObject({ disabled: true });
  const answer = await server.post("Open", SHELL, token);
  expect(answer).toMatchObject({ status: 401, body: { name: "AuthorizationError" } });
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
});

test("list shows every account, the operator's first, and no token", async () => {
  const { code, stdout } = await home.account("list");
  expect(code).toBe(0);
  const accounts = JSON.parse(stdout) as Record<string, unknown>[];
  expect(accounts[0]).toMatchObject({ email: "operator@localhost", plan: "self-hosted" });
  for (const account of accounts) expect(account).toMatchObject({ unitsUsed: expect.any(Number) });
  expect(stdout).not.toContain("rbs_");
});

test.concurrent.each<[string[], number, RegExp]>([
  [[], 2, /^npm run account -- COMMAND/],
  [["destroy"], 2, /^There is no command "destroy"\./],
  [["create", "--plan", "small"], 1, /^--email is missing\.$/],
  [["create", "--email", "a@b.example"], 1, /^--plan is missing\.$/],
  [["create", "--email", "nobody", "--plan", "small"], 1, /^"nobody" is not an e-mail address\.$/],
  [["create", "--email", "Operator@LOCALHOST", "--plan", "small"], 1, /exists already\.$/],
  [["create", "--email", "a@b.example", "--plan", "huge"], 1, /^There is no plan "huge"; there are: .*small, big/],
  [["create", "--email", "a@b.example", "--plan", "big", "--parallel", "0"], 1, /^--parallel must be .*"0"\.$/],
  [["create", "--email", "a@b.example", "--plan", "big", "--units", "1.5"], 1, /^--units must be .*"1\.5"\.$/],
  [["create", "--email", "a@b.example", "--plan", "big", "--token", "short"], 1, /^A token has at least 16/],
  [["create", "--email", "a@b.example", "--plan", "big", "--colour", "red"], 1, /--colour/],
  [["units", "--email", "operator@localhost"], 1, /^Give --units N/],
  [["units", "--email", "operator@localhost", "--additional", "yes"], 1, /^--additional must be on or off/],
  [["disable", "--email", "stranger@example.com"], 1, /^There is no account with the e-mail stranger@example\.com\.$/],
])("%j is refused in words and prints no JSON", async (args, code, words) => {
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
  });
});
