import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { examine } from "./examine.ts";

type Answer = { readonly status: number; readonly body: unknown };

const NOT_FOUND = { status: 404, body: { status: 404, name: "NotFound" } };
const LIST = "/api/v1/Browser/Get";
const EMPTY = { status: 200, body: { sessions: [] } };

const optionsFor = (baseUrl: string) => ({
  ...{ baseUrl, token: "secret-token", tokens: {}, unitsLeft: undefined, profile: "smoke" as const },
  ...{ labelPrefix: "conformance-1", seed: 1, rate: undefined, parallel: 1 },
});

/** Starts a server. @param answers The responses by path. A string is sent as text. @returns Its URL. */
async function start(answers: Readonly<Record<string, Answer>>): Promise<string> {
  const server = createServer((request, response) => {
    const { status, body } = answers[request.url ?? ""] ?? NOT_FOUND;
    const type = typeof body === "string" ? "text/html" : "application/json";
    response.writeHead(status, { "Content-Type": type }).end(typeof body === "string" ? body : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const versionOf = async (answers: Readonly<Record<string, Answer>>): Promise<string> =>
  (await examine(optionsFor(await start({ [LIST]: EMPTY, ...answers })), undefined)).contract;

test("the version is read from the contract that the deployment serves", async () => {
  const says = (version: string) => ({ "/openapi.json": { status: 200, body: { info: { version } } } });
  expect(await versionOf(says("1.0.0"))).toBe("1.0");
  expect(await versionOf(says("1.1.0"))).toBe("1.1");
});

test("a deployment that serves neither its contract nor Account/Get is assumed to have version 1.0", async () => {
  expect(await versionOf({})).toBe("1.0");
  expect(await versionOf({ "/api/v1/Account/Get": { status: 200, body: { plan: "team" } } })).toBe("1.1");
});

test.each<[string, Readonly<Record<string, Answer>>, RegExp]>([
  [
    "a wrong token",
    { [LIST]: { status: 401, body: { status: 401, name: "AuthorizationError" } } },
    /^The server does not accept --token: http:\S+ responds to Get with 401 AuthorizationError\.$/,
  ],
  [
    "another server",
    { [LIST]: { status: 200, body: "<p>Hello</p>" } },
    /^There is no Remote Browser Service at this URL: http:\S+ responds to Get with 200 .*\(text\/html\)\. Check --base-url\.$/,
  ],
  ["a server without the operation", {}, /^There is no Remote Browser Service at this URL: .* 404 NotFound/],
])("%s is reported in one sentence", async (_, answers, message) => {
  await expect(examine(optionsFor(await start(answers)), undefined)).rejects.toThrow(message);
});

test("an unreachable server is reported in one sentence", async () => {
  const message = "The server can't be reached: GET /api/v1/Browser/Get could not connect to the server: ECONNREFUSED.";
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  await expect(examine(optionsFor(`http://127.0.0.1:${port}`), undefined)).rejects.toThrow(message);
});
