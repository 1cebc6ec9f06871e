import { afterEach, beforeEach, expect, test } from "vitest";
import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { listFailures } from "../../../openapi/scripts/failures.ts";
import { until } from "../../../server/test/support/until.ts";
import { type HttpAnswer, ask, begin } from "./ask.ts";
import { type FaultProxy, type Logged, openFaultProxy } from "./fault-proxy.ts";
import { type SmallServer, openSmallServer } from "./small-server.ts";

const [OPEN, LIST, QUERY] = ["/api/v1/Browser/Open", "/api/v1/Browser/Get", "/api/v1/ai/Query"];
const SESSION = { label: "one" };
const ANSWERS = {
  [OPEN]: { status: 200, address: "ws://server/devtools/browser/a" },
  [LIST]: { sessions: [SESSION] },
  [QUERY]: { status: 200, response: "39.9", value: 39.9 },
  "/prefix/api/v1/Browser/Get": { sessions: [] },
};

let server: SmallServer;
let proxy: FaultProxy;
let socketsBefore: number;

beforeEach(async () => {
  socketsBefore = countSockets();
  server = await openSmallServer(ANSWERS);
  proxy = await openFaultProxy({ url: server.url, isMock: false });
});

afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await until(countSockets, (count) => count === socketsBefore);
});

/** Counts the servers and connections that this process has open. */
function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith("TCP")).length;
}

const at = (fault: string): string => `${proxy.url}/~${fault}~n1`;

async function readLog(fault: string): Promise<readonly Logged[]> {
  const { requests } = JSON.parse((await ask(`${at(fault)}/log`)).text) as { requests: Logged[] };
  return requests;
}

const nameIn = ({ text }: HttpAnswer): unknown => (JSON.parse(text) as { name?: unknown }).name;

test("without a fault, all requests pass, and the Host header names the server", async () => {
  const headers = { authorization: "Bearer t", "content-type": "application/json" };
  const answer = await ask(`${proxy.url}${OPEN}`, '{"Headless":true}', headers);
  expect({ ...answer, headers: answer.headers["x-request-id"] }).toStrictEqual({
    status: 200,
    headers: "of-the-server",
    text: JSON.stringify(ANSWERS[OPEN]),
  });
  const [seen] = server.seen;
  expect(seen).toMatchObject({ method: "POST", url: OPEN, body: '{"Headless":true}' });
  expect(seen?.headers).toMatchObject({ ...headers, host: new URL(server.url).host });
});

test("pass only logs requests, accepts an encoded tilde, and keeps one log per base URL", async () => {
  await ask(`${proxy.url}/%7Epass%7En1${LIST}`);
  await ask(`${at("pass")}/prefix${LIST}`);
  await ask(`${proxy.url}/~pass~n2${LIST}`);
  expect(await readLog("pass")).toStrictEqual([
    { operation: "getBrowsers", status: 200 },
    { operation: null, status: 200 },
  ]);
});

test.each(listFailures(contract as unknown as Contract))(
  "answer-$name responds to every operation with the contract's example of that error",
  async ({ name, httpStatus, bodyStatus }) => {
    for (const [path, body] of [
      [OPEN, "{}"],
      [LIST, undefined],
      [QUERY, "{}"],
    ] as const) {
      const answer = await ask(`${at(`answer-${name}`)}${path}`, body);
      const shown = JSON.parse(answer.text) as { requestId: string };
      expect(answer.status).toBe(httpStatus);
      expect(shown).toMatchObject({ status: bodyStatus, name, message: expect.any(String) });
      expect(answer.headers["x-request-id"]).toBe(shown.requestId);
      const isTimed = ["IdempotencyKeyInUse", "TooManyRequests", "BrowserUnavailable", "ProviderUnavailable"].includes(
        name,
      );
      expect(answer.headers["retry-after"]).toBe(isTimed ? "1" : undefined);
    }
    expect(server.seen).toStrictEqual([]);
    expect((await readLog(`answer-${name}`)).map(({ status }) => status)).toStrictEqual(Array(3).fill(httpStatus));
  },
);

test.each([
  ["busy-once", "BrowserUnavailable", 503],
  ["limited-once", "TooManyRequests", 429],
] as const)("%s refuses the first request and passes later ones", async (fault, name, status) => {
  const first = await ask(`${at(fault)}${OPEN}`, "{}");
  expect([first.status, nameIn(first), first.headers["retry-after"]]).toStrictEqual([status, name, "1"]);
  expect((await ask(`${at(fault)}${OPEN}`, "{}")).status).toBe(200);
  expect((await ask(`${proxy.url}/~${fault}~n2${OPEN}`, "{}")).status).toBe(status);
  expect(await readLog(fault)).toStrictEqual([
    { operation: "openBrowser", status },
    { operation: "openBrowser", status: 200 },
  ]);
});

test.each([
  ["busy-always", "1", /full/],
  ["busy-long", "3600", /full/],
  ["not-installed", undefined, /not installed/],
] as const)("%s refuses every Open request, with Retry-After %s", async (fault, retryAfter, words) => {
  for (const _ of [1, 2, 3]) {
    const answer = await ask(`${at(fault)}${OPEN}`, "{}");
    expect([answer.status, nameIn(answer), answer.headers["retry-after"]]).toStrictEqual([
      503,
      "BrowserUnavailable",
      retryAfter,
    ]);
    expect(answer.text).toMatch(words);
  }
});

test("silent accepts a request and sends no response", async () => {
  await using begun = begin(`${at("silent")}${LIST}`);
  await until(
    () => readLog("silent"),
    ({ length }) => length === 1,
  );
  expect(begun.received()).toBeUndefined();
  expect(await readLog("silent")).toStrictEqual([{ operation: "getBrowsers", status: null }]);
});

test("`half` sends headers and part of a body", async () => {
  await using begun = begin(`${at("half")}${LIST}`);
  expect(await until(() => begun.received(), Boolean)).toBe('{"sessi');
  expect(await readLog("half")).toStrictEqual([{ operation: "getBrowsers", status: 200 }]);
});

test("cut-after forwards the first request, closes its connection, and passes later requests", async () => {
  await expect(ask(`${at("cut-after")}${OPEN}`, "{}")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(server.seen).toMatchObject([{ url: OPEN, body: "{}" }]);
  expect((await ask(`${at("cut-after")}${LIST}`)).status).toBe(200);
  expect(await readLog("cut-after")).toStrictEqual([
    { operation: "openBrowser", status: null },
    { operation: "getBrowsers", status: 200 },
  ]);
});

test("first-version-cut-after closes the first connection, and then supports only the operations of version 1.0", async () => {
  const fault = "first-version-cut-after";
  await expect(ask(`${at(fault)}${OPEN}`, "{}")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(server.seen).toMatchObject([{ url: OPEN, body: "{}" }]);
  const account = await ask(`${at(fault)}/api/v1/Account/Get`);
  expect([account.status, nameIn(account)]).toStrictEqual([404, "NotFound"]);
  expect(JSON.parse((await ask(`${at(fault)}${LIST}`)).text)).toStrictEqual({ sessions: [SESSION] });
});

test.each([
  ["gateway", 502],
  ["not-json", 200],
] as const)("%s answers an HTML page with the status %i", async (fault, status) => {
  const answer = await ask(`${at(fault)}${LIST}`);
  expect(answer).toMatchObject({ status, headers: { "content-type": "text/html" } });
  expect(answer.text).toMatch(/^<html>/);
});

test("new-members adds members to the response and to each session", async () => {
  expect(JSON.parse((await ask(`${at("new-members")}${LIST}`)).text)).toStrictEqual({
    sessions: [{ ...SESSION, newMember: expect.anything(), newList: expect.anything() }],
    newMember: expect.anything(),
    newList: expect.anything(),
  });
});

test("new-error returns an error whose name is not in the contract", async () => {
  const answer = await ask(`${at("new-error")}${LIST}`);
  expect(answer.status).toBe(409);
  expect(JSON.parse(answer.text)).toStrictEqual({
    status: 409,
    name: "SomethingNew",
    message: expect.any(String),
    requestId: expect.any(String),
  });
});

test("`misfit` changes the value only in Query responses", async () => {
  const answer = await ask(`${at("misfit")}${QUERY}`, "{}");
  expect(JSON.parse(answer.text)).toStrictEqual({ ...ANSWERS[QUERY], value: "nonsense" });
  expect(JSON.parse((await ask(`${at("misfit")}${OPEN}`, "{}")).text)).toStrictEqual(ANSWERS[OPEN]);
});

test("no-value removes the value from Query's response only", async () => {
  const answer = await ask(`${at("no-value")}${QUERY}`, "{}");
  expect(JSON.parse(answer.text)).toStrictEqual({ status: 200, response: "39.9" });
  expect(JSON.parse((await ask(`${at("no-value")}${LIST}`)).text)).toStrictEqual(ANSWERS[LIST]);
});

test("thin-error sends only the error's name, and the request id in a header", async () => {
  const answer = await ask(`${at("thin-error")}${LIST}`);
  expect(answer).toMatchObject({ status: 404, headers: { "x-request-id": "thin-1" } });
  expect(JSON.parse(answer.text)).toStrictEqual({ name: "BrowserNotFound" });
});

test.each([
  ["echo-page", 502, "text/html"],
  ["echo-error", 500, "application/json"],
] as const)("%s repeats the request near the beginning", async (fault, status, type) => {
  const [secret, body] = ["Bearer rbs_secret", '{"address":"ws://server/devtools/browser/a"}'];
  const answer = await ask(`${at(fault)}/api/v1/Browser/Close`, body, { authorization: secret });
  expect(answer).toMatchObject({ status, headers: { "content-type": type } });
  const said = status === 500 ? (JSON.parse(answer.text) as { message: string }).message : answer.text;
  // Clients quote the first 200 characters of a page. A real token is about 40 characters long.
  expect(said.slice(0, 120)).toContain(secret);
  expect(said.slice(0, 120)).toContain(body);
  expect(server.seen).toStrictEqual([]);
});

test("echo-error sends the contract's Unknown error with a different message", async () => {
  const { text, headers } = await ask(`${at("echo-error")}${LIST}`);
  expect(JSON.parse(text)).toStrictEqual({
    status: 0,
    name: "Unknown",
    message: expect.any(String),
    requestId: headers["x-request-id"],
  });
});

test("a client that disconnects aborts its request", async () => {
  const next = server.next();
  const begun = begin(`${at("pass")}/never`);
  const { closed } = await next;
  await begun[Symbol.asyncDispose]();
  await closed;
  expect(await readLog("pass")).toStrictEqual([{ operation: null, status: null }]);
});

test("closing the proxy aborts open requests", async () => {
  const next = server.next();
  await using silent = begin(`${at("silent")}${LIST}`);
  await using never = begin(`${at("cut-after")}/never`);
  const { closed } = await next;
  await proxy[Symbol.asyncDispose]();
  await closed;
  expect([silent.received(), never.received()]).toStrictEqual([undefined, undefined]);
});

test.each([
  ["an unknown fault", "sielnt", LIST, /The fault sielnt does not exist. Choose from pass, /],
  ["an error that the contract does not declare", "answer-NoUnit", OPEN, /does not declare the error "NoUnit"/],
])("%s is reported as text", async (_, fault, path, words) => {
  const answer = await ask(`${at(fault)}${path}`);
  expect(answer.status).toBe(500);
  expect(answer.text).toMatch(words);
});

test("a failed connection to the server is reported as text", async () => {
  await server[Symbol.asyncDispose]();
  const answer = await ask(`${proxy.url}${LIST}`);
  server = await openSmallServer({});
  expect(answer.status).toBe(500);
  expect(answer.text).toMatch(/ECONNREFUSED/);
});
