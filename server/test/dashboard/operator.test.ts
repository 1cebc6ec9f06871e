import { stat } from "node:fs/promises";
import { join } from "node:path";
import { forServing } from "@remote-browser/contract/for-serving";
import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answered, send } from "../support/servers/call.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { signIn } from "../support/pages/page-user.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";

let server: RealServer;

beforeAll(async () => {
  // With an empty value, the server chooses the email address.
  server = await startServer({ settings: { RBS_FIRST_ACCOUNT_EMAIL: "" } });
});

afterAll(() => server[Symbol.asyncDispose]());

function ask(path: string, method = "GET", headers: Record<string, string> = {}, body = ""): Promise<Answered> {
  return send(new URL(path, server.url), method, headers, body);
}

test("liveness, readiness and the contract need no token", async () => {
  expect(await ask("/healthz")).toMatchObject({ status: 200, body: { status: "alive" } });
  expect(await ask("/readyz")).toMatchObject({ status: 200, body: { status: "ready", browsers: 0 } });
  // The server has no key for a language model.
  const own = { servers: [{ url: "/" }], "x-capabilities": { graphical: true, desktop: true, ai: false } };
  const served = await ask("/openapi.json");
  expect(served).toMatchObject({ status: 200, body: { ...forServing(contract), ...own } });
  expect(JSON.stringify(served.body)).not.toContain('"links"');
  expect(await ask("/openapi.links.json")).toMatchObject({ status: 200, body: { ...contract, ...own } });
  await expectNothingHeld(server);
});

test("without a terminal, the first start writes a valid password and token to a file that only its user can read", async () => {
  const { output, url, welcome, home } = server;
  const [, email = "", password = "", dashboard] =
    /^Account: +(\S+)\nPassword: +(\S+) +\(for the dashboard: (\S+)\)$/m.exec(welcome) ?? [];
  expect([email, dashboard]).toEqual([expect.stringMatching(/^operator-\w{8}@localhost$/), `${url.origin}/dashboard`]);
  expect((await (await signIn(url, email, password)).get("/operator")).status).toBe(200);
  expect(welcome).toContain(`RBS_TOKEN=${server.token}`);
  const file = join(home.dataDir, "first-account.txt");
  expect(output.stdout).toContain(`The first account's password and token are in ${file}.`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const secret of [email, password, server.token]) expect(output.stdout + output.stderr).not.toContain(secret);
  expect(output.stdout.trimEnd().split("\n").at(-1)).toBe(`Ready on ${server.url.origin}`);
  expect(await server.get()).toMatchObject({ status: 200, body: { sessions: [] } });
});
