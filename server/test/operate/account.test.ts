import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import type { Home } from "../support/servers/home.ts";
import { newPageUser, signIn } from "../support/pages/page-user.ts";
import { readLog, type RealServer, startServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";
import { HAS_VARIANTS, variant } from "../support/variants.ts";

const EMAIL = "person@example.com";
const SHELL = { Browser: 3 };

let server: RealServer;
let home: Home;

beforeAll(async () => {
  server = await startServer({
    isFake: true,
    plans: { small: { parallel: 2, unitsPerMonth: 100 }, big: { parallel: 9 } },
  });
  ({ home } = server);
});

afterAll(() => server[Symbol.asyncDispose]());

test("an account created while the server runs works immediately, and changes to it take effect immediately", async () => {
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

test("a new token works immediately and the old one stops working, while open browsers stay open", async () => {
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
  await expect(signIn(server.url, email, String(made["password"]))).rejects.toThrow("returned 401");
  expect((await (await signIn(server.url, email, String(password))).get("/dashboard")).status).toBe(200);
});

test.each([["disable"], ...(HAS_VARIANTS ? [["delete", "--yes"]] : [])])(
  "while the server runs, %s ends only that account's browsers and sessions",
  async (command = "", ...flags) => {
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
    const opened = readLog(server, "browser.opened").length;
    const ends = await until(
      () => readLog(server, "browser.closed"),
      ({ length }) => length === opened,
    );
    expect(new Set(ends.slice(-2).map(({ reason }) => reason))).toEqual(new Set(["disabled", "requested"]));
  },
);

test('the command "lsit" fails with an error message, an exit code and no JSON', async () => {
  const ended = await home.account("lsit");
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toMatch(/^There is no command "lsit"\./);
});

variant("a command without --email fails with an error message, an exit code and no JSON", async () => {
  const ended = await home.account("create", "--plan", "small");
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(/^Set --email\.$/m);
});
