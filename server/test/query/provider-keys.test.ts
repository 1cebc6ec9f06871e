import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@remote-browser/contract/operations";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Answered, call } from "../support/servers/call.ts";
import { openHome, type Home } from "../support/servers/home.ts";
import { PASSWORD, type PageUser, signIn, signUp } from "../support/pages/page-user.ts";
import { openFakeProvider, type FakeProvider } from "../support/provider/fake-provider.ts";
import { says } from "../support/provider/provider-reactions.ts";
import { startServer, type RealServer } from "../support/servers/real-server.ts";
import { variant } from "../support/variants.ts";

const DEPLOYMENTS = "sk-deployments-0123456789";
const OWN = "sk-canary-of-annas-own-0123456789";
const EMAIL = "anna@example.com";
const KEY_PATH = "/dashboard/settings/provider-key";

let provider: FakeProvider;
let home: Home;
let server: RealServer;
let anna: PageUser;
let annas: string;
let berts: string;
/** The output of all servers in this test. */
let outputs = "";

const start = (): Promise<RealServer> =>
  startServer({ isFake: true, settings: { ANTHROPIC_API_KEY: DEPLOYMENTS, ANTHROPIC_BASE_URL: provider.url } }, home);

beforeAll(async () => {
  [provider, home] = await Promise.all([openFakeProvider(), openHome()]);
  provider.react(says("An answer."));
  server = await start();
  anna = await signUp(server.url, EMAIL);
  await home.accountJson("plan", "--email", EMAIL, "--plan", "self-hosted");
  annas = String((await home.accountJson("token", "--email", EMAIL))["token"]);
  berts = await home.newAccount("bert@example.com");
});
afterEach(() => (outputs += server.output.stdout + server.output.stderr));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** The file with the encryption key of the accounts' keys. */
function keyFile(): string {
  return join(home.dataDir, "secret.key");
}

function ask(token = annas): Promise<Answered> {
  return call(server.url, "POST", operations.queryAi.path, token, { html: "<p>1</p>", prompt: "What?" });
}

/** The credential that the provider received with a query. */
async function credentialOf(token?: string): Promise<string | undefined> {
  expect(await ask(token)).toMatchObject({ status: 200 });
  return provider.requests.at(-1)?.headers.authorization;
}

async function restart(): Promise<void> {
  server.signal("SIGTERM");
  await server.ended;
  server = await start();
  expect(server.output.stdout, "a later start doesn't print credentials").toMatch(
    /^(?:The server runs as user \d+\. .*\n)?Ready on \S+\n$/,
  );
  anna = await signIn(server.url, EMAIL, PASSWORD);
  await anna.get("/dashboard/settings");
}

test("only accounts whose plan includes the deployment's key can use it", async () => {
  const carls = await home.newAccount("carl@example.com", "none");
  const body = { name: "ProviderUnavailable", message: expect.stringContaining("Your plan doesn't include") };
  expect(await ask(carls)).toMatchObject({ status: 503, body });
});

test("queries use the account's own key, or else the deployment's key", async () => {
  expect(await credentialOf()).toBe(`Bearer ${DEPLOYMENTS}`);
  await anna.get("/dashboard/settings");
  expect((await anna.post(KEY_PATH, { "provider-key": ` ${OWN} ` })).status).toBe(303);
  expect(await credentialOf()).toBe(`Bearer ${OWN}`);
  expect(await credentialOf(berts)).toBe(`Bearer ${DEPLOYMENTS}`);
});

test("the key does not appear in data files, logs, pages and responses", async () => {
  const folder = home.dataDir;
  const files = readdirSync(folder).filter((name) => /sqlite/.test(name));
  expect(files).toEqual(expect.arrayContaining(["service.sqlite", "service.sqlite-wal"]));
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()))
    expect([file.name, readFileSync(join(file.parentPath, file.name), "latin1").includes("canary")]).toEqual([
      file.name,
      false,
    ]);
  for (const path of ["/dashboard", "/dashboard/settings", "/dashboard/tokens", "/dashboard/usage"])
    expect((await anna.get(path)).text).not.toContain("canary");
  expect(JSON.stringify(await ask())).not.toContain("canary");
  expect(outputs + server.output.stdout + server.output.stderr).not.toContain("canary");
});

let lost: Buffer;

test("if the encryption key is lost, queries fail until the account sets its key again, and no other key is used", async () => {
  lost = readFileSync(keyFile());
  rmSync(keyFile());
  await restart();
  const before = provider.requests.length;
  expect(await ask()).toMatchObject({
    status: 503,
    body: { name: "ProviderUnavailable", message: expect.stringContaining("set it again in the settings") as string },
  });
  expect(provider.requests).toHaveLength(before);
  expect(await credentialOf(berts)).toBe(`Bearer ${DEPLOYMENTS}`);
});

variant("if the encryption key is restored, queries use the account's own key again", async () => {
  writeFileSync(keyFile(), lost);
  await restart();
  expect(await credentialOf()).toBe(`Bearer ${OWN}`);
});
