import { stat } from "node:fs/promises";
import { join } from "node:path";
import withLinks from "@remote-browser/contract/openapi.json" with { type: "json" };
import served from "@remote-browser/contract/openapi.served.json" with { type: "json" };
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answered, send } from "./support/call.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { openHome } from "./support/home.ts";
import { signIn } from "./support/page-user.ts";
import { type RealServer, startServer } from "./support/real-server.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server[Symbol.asyncDispose]());

function ask(path: string, method = "GET", headers: Record<string, string> = {}, body = ""): Promise<Answered> {
  return send(new URL(path, server.url), method, headers, body);
}

test("liveness, readiness and the contract need no token", async () => {
  expect(await ask("/healthz")).toMatchObject({ status: 200, body: { status: "alive" } });
  expect(await ask("/readyz")).toMatchObject({ status: 200, body: { status: "ready", browsers: 0 } });
  const servers = [{ url: "/" }];
  expect(await ask("/openapi.json")).toMatchObject({ status: 200, body: { ...served, servers } });
  expect(await ask("/openapi.links.json")).toMatchObject({ status: 200, body: { ...withLinks, servers } });
  await expectNothingHeld(server);
});

test("every response has a unique request id, and errors repeat it in their bodies", async () => {
  const authorization = { Authorization: `Bearer ${server.token}` };
  const answers = await Promise.all([
    ask("/healthz"),
    ask("/readyz"),
    ask("/openapi.json"),
    ask("/nowhere"),
    ask("/api/v1/Browser/Get"),
    ask("/api/v1/Browser/Get", "GET", authorization),
    ask("/api/v1/Browser/Get", "POST", authorization),
    ask("/api/v1/Browser/Open", "POST", authorization, "{"),
    ask("/api/v1/Browser/Close", "POST", authorization, '{"address":"x"}'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 401, 200, 405, 400, 404]);
  const ids = answers.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(answers.length);
  const refusals = answers.filter(({ status }) => status >= 400);
  expect(refusals.map(({ body }) => body["requestId"])).toEqual(
    refusals.map(({ headers }) => headers.get("x-request-id")),
  );
});

test("without a terminal, the first start writes a password and a token that work into a file that only its user can read", async () => {
  const { output, url, welcome, home } = server;
  const [, email = "", password = "", dashboard] =
    /^Account: +(\S+)\nPassword: +(\S+) +\(for the dashboard: (\S+)\)$/m.exec(welcome) ?? [];
  expect([email, dashboard]).toEqual(["operator@localhost", `${url.origin}/dashboard`]);
  expect((await (await signIn(url, email, password)).get("/operator")).status).toBe(200);
  expect(welcome).toContain(`RBS_TOKEN=${server.token}`);
  const file = join(home.dataDir, "first-account.txt");
  expect(output.stdout).toContain(`The first account's password and token are in ${file}.`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const secret of [password, server.token]) expect(output.stdout + output.stderr).not.toContain(secret);
  expect(output.stdout.trimEnd().split("\n").at(-1)).toBe(`Ready on ${server.url.origin}`);
  expect(await server.get()).toMatchObject({ status: 200, body: { sessions: [] } });
});

test("a later start doesn't print a password or a token", async () => {
  await using home = await openHome();
  {
    await using first = await startServer({}, home);
    expect(first.token).toMatch(/^rbs_/);
    first.signal("SIGTERM");
    await first.ended;
  }
  await using second = await startServer({}, home);
  expect(second.output.stdout).toBe(`Ready on ${second.url.origin}\n`);
});
