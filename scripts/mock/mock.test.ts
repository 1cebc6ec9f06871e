import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Program, startProgram } from "../../clients/test/program.ts";
import { type Contract, examplesOf, listOperations, resolve } from "../../openapi/scripts/contract.ts";
import { readSnippets } from "../../server/test/support/pages/snippets.ts";
import { listPreferences, withPreferences } from "../generators/mock.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const contract = JSON.parse(read("openapi/generated/openapi.json")) as Contract;
const page = read("docs/mock.md");

const [OPEN, CLOSE, LIST, QUERY] = [
  "/api/v1/Browser/Open",
  "/api/v1/Browser/Close",
  "/api/v1/Browser/Get",
  "/api/v1/ai/Query",
];
const ADDRESS = "ws://127.0.0.1:8080/devtools/browser/pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e";
const QUESTION = { html: "<p>Kettle</p>", prompt: "What is it?" };
/** Valid request bodies, by the last segment of the path. */
const BODIES: Readonly<Record<string, unknown>> = {
  Open: {},
  Close: { address: ADDRESS },
  Info: { address: ADDRESS },
  History: {},
  Wait: { address: ADDRESS },
  Update: { address: ADDRESS, keepOpen: 600 },
  CloseAll: { all: true },
  Screenshot: { address: ADDRESS },
  StartRemoteDesktop: { address: ADDRESS },
  StopRemoteDesktop: { address: ADDRESS },
  Query: QUESTION,
};

let mock: Program;

function startMock(port: string): Promise<Program> {
  const args = [fileURLToPath(new URL("../mock.ts", import.meta.url)), "--port", port];
  return startProgram({ args, settings: {}, readyLine: /^The mock answers on (\S+)$/ });
}

beforeAll(async () => {
  mock = await startMock("0");
});

afterAll(() => mock[Symbol.asyncDispose]());

type Sent = { readonly body?: unknown; readonly text?: string; readonly headers?: Record<string, string> };

const TOKEN = { Authorization: "Bearer any" };

async function send(path: string, { body, text, headers = TOKEN }: Sent = {}) {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = { "Content-Type": "application/json" };
  const init =
    content === undefined ? { headers } : { method: "POST", body: content, headers: { ...type, ...headers } };
  const answer = await fetch(`${mock.ready}${path}`, { ...init, signal: AbortSignal.timeout(60_000) });
  const isJson = answer.headers.get("content-type")?.includes("json");
  const received: unknown = isJson ? await answer.json() : Buffer.from(await answer.arrayBuffer()).toString("base64");
  return { status: answer.status, headers: answer.headers, body: received as Record<string, unknown> };
}

/** The rows of the page's table. */
const rows = page.split("\n").flatMap((line) => {
  const [, operations = "", prefer] = /^\| (.+?) \| `(code=.+?)` \| .+ \|$/.exec(line) ?? [];
  if (prefer === undefined) return [];
  const ids = [...operations.matchAll(/`(\w+)`/g)].map(([, id = ""]) => id);
  return [{ prefer, ids: ids.length > 0 ? ids : listOperations(contract).map((one) => one.operation.operationId) }];
});

test("the page's table lists the contract's examples", () => {
  expect(withPreferences(page, contract)).toBe(page);
  expect(rows).toHaveLength(listPreferences(contract).length);
});

/** The contract's example values for the header, by status. */
const RETRY_AFTER: Readonly<Record<string, string>> = { 409: "12", 429: "12", 503: "5" };

/** Returns the operations of a row that are asked: of a long list, every fourth, and different ones in each row. */
function toAsked(ids: readonly string[], row: number): readonly string[] {
  return ids.length < 4 ? ids : ids.filter((_, index) => index % 4 === row % 4);
}

test("the rows ask each operation for an error that all operations have in common", () => {
  const asked = new Set(rows.flatMap(({ ids }, row) => (ids.length < 4 ? [] : toAsked(ids, row))));
  expect([...asked].toSorted()).toEqual(
    listOperations(contract)
      .map(({ operation }) => operation.operationId)
      .toSorted(),
  );
});

const asked = rows.map(({ prefer, ids }, row) => ({ prefer, ids: toAsked(ids, row) }));

test.each(asked)("operations respond to $prefer with the example that it names", async ({ prefer, ids }) => {
  const [, status = "", example = ""] = /^code=(\d+), example=(\w+)$/.exec(prefer) ?? [];
  for (const id of ids) {
    const placed = listOperations(contract).find(({ operation }) => operation.operationId === id);
    const response = resolve(contract, placed?.operation.responses[status] ?? { $ref: `#/${id}` });
    const path = placed?.path ?? "";
    const body = BODIES[path.split("/").at(-1) ?? ""];
    const answer = await send(path.replace(/Image$/, "Image?id=br_1"), { body, headers: { ...TOKEN, Prefer: prefer } });
    expect({ status: answer.status, body: answer.body }).toStrictEqual({
      status: Number(status),
      body: examplesOf(response)[example]?.value,
    });
    const { headers = {} } = response as { headers?: object };
    for (const header of Object.keys(headers)) {
      expect(answer.headers.has(header), `${id} ${prefer} has ${header}`).toBe(true);
    }
    expect(answer.headers.get("retry-after")).toBe("Retry-After" in headers ? RETRY_AFTER[status] : null);
  }
});

const commands = readSnippets("mock.md", "sh").filter((snippet) => snippet.startsWith("curl"));
const answers = readSnippets("mock.md", "json");

test.each(commands.map((command, at) => [command, answers[at] ?? ""]))(
  "the page's command works: %s",
  async (command, shown) => {
    const here = command.replaceAll("http://127.0.0.1:4010", mock.ready);
    const { stdout } = await promisify(execFile)("sh", ["-c", here]);
    expect(stdout).toBe(shown.trimEnd());
  },
);

test("the page shows every operation exactly once", () => {
  for (const { path } of listOperations(contract)) expect(commands.some((one) => one.includes(path))).toBe(true);
  expect(answers).toHaveLength(commands.length);
});

test.each([
  ["a port that is taken", () => new URL(mock.ready).port, /EADDRINUSE/],
  ["no port", () => "x", /--port must be a number from 0 to 65535, not "x"/],
])("%s is reported in one line", async (_, port, words) => {
  await expect(startMock(port())).rejects.toThrow(words);
});

describe("what the mock can do", () => {
  test("a preferred status selects the first example for that status", async () => {
    expect((await send(OPEN, { body: {}, headers: { ...TOKEN, Prefer: "code=503" } })).body["message"]).toMatch(/full/);
  });

  test("an example name without a status selects a success", async () => {
    const ask = (example: string) => send(OPEN, { body: {}, headers: { ...TOKEN, Prefer: `example=${example}` } });
    expect((await ask("worker")).body["address"]).toMatch(/^wss:/);
    expect((await ask("noUnits")).status).toBe(404);
  });

  test("an invalid request is refused, regardless of its Prefer header", async () => {
    const headers = { Prefer: "code=503" };
    expect((await send(OPEN, { body: {}, headers })).body).toMatchObject({ status: 401, name: "AuthorizationError" });
    const wrong = await send(OPEN, { body: { Headless: "x" }, headers: { ...TOKEN, ...headers } });
    expect(wrong.body).toMatchObject({ status: 400, name: "BadRequest" });
  });
});

test("a query returns text, or a value of the requested type", async () => {
  const ask = async (responseFormat?: string) => (await send(QUERY, { body: { ...QUESTION, responseFormat } })).body;
  expect(await ask()).toStrictEqual({ status: 200, response: "No, the shop is only open from Monday to Friday." });
  expect(await ask("json")).toStrictEqual({ status: 200, response: '{"text":"text"}', value: { text: "text" } });
  const schema = { type: "object", properties: { price: { type: "number" } }, required: ["price"] };
  expect(await ask(JSON.stringify(schema))).toStrictEqual({
    status: 200,
    response: '{"price":1}',
    value: { price: 1 },
  });
  const wrong = await send(QUERY, { body: { html: "", prompt: "x", responseFormat: "json" } });
  expect(wrong.body).not.toHaveProperty("value");
});

describe("what the mock can't do", () => {
  test("the mock is stateless", async () => {
    expect((await send(OPEN, { body: {} })).status).toBe(200);
    expect((await send(LIST)).body).toStrictEqual({ sessions: [] });
    expect((await send(CLOSE, { body: { address: ADDRESS } })).status).toBe(200);
    expect((await send(CLOSE, { body: { address: ADDRESS } })).status).toBe(200);
  });

  test("every bearer token is accepted, but missing tokens and other schemes are refused", async () => {
    expect((await send(LIST, { headers: { Authorization: "Bearer x" } })).status).toBe(200);
    expect((await send(LIST, { headers: {} })).status).toBe(401);
    expect((await send(LIST, { headers: { Authorization: "Basic eDp5" } })).status).toBe(401);
  });

  test.each([
    ["a wrong type", { KeepOpen: "no" }, 400],
    ["a wrong type in camelCase", { keepOpen: "no" }, 200],
    ["a number out of range", { WaitForPlace: 46 }, 400],
    ["a screen that is too small", { Screen: { Width: 199, Height: 600 } }, 400],
    ["a screen without a height", { Screen: { Width: 800 } }, 400],
    ["a fraction of a pixel", { Screen: { Width: 800.5, Height: 600 } }, 400],
    ["an invalid screen in camelCase", { screen: { width: 199 } }, 200],
    ["an empty language", { Language: "" }, 400],
    ["an unknown time zone", { TimeZone: "Mars/Olympus" }, 200],
    ["an unknown member", { Nope: 1 }, 200],
    ["a refused argument", { Args: ["--remote-debugging-port=1"] }, 200],
  ])("%s", async (_, body, status) => {
    expect((await send(OPEN, { body })).status).toBe(status);
  });

  test("any string is accepted as an address, and a body may have any length", async () => {
    expect((await send(CLOSE, { body: { address: "nonsense" } })).status).toBe(200);
    expect((await send(OPEN, { text: `{${" ".repeat(70_000)}}` })).status).toBe(200);
  });

  test("an invalid request returns the example for the response's status", async () => {
    const { body } = await send(OPEN, { body: { Headless: "x" } });
    expect(body["errors"]).toStrictEqual([{ path: "/KeepOpen", message: "must be a number, not true" }]);
    const { status, body: unsupported } = await send(OPEN, {
      text: "Headless: true",
      headers: { ...TOKEN, "Content-Type": "text/plain" },
    });
    expect([status, unsupported["message"]]).toStrictEqual([415, expect.stringContaining("x-www-form-urlencoded")]);
  });

  test.each([
    ["an unknown path", "/api/v1/Browser/Opn", undefined, "", 404],
    ["an unknown method", LIST, {}, "", 405],
    ["a status that the operation doesn't have", OPEN, {}, "code=418", 404],
    ["an example that the contract doesn't contain", OPEN, {}, "code=200, example=nope", 500],
    ["a path outside the contract: openapi.json", "/openapi.json", undefined, "", 404],
    ["a path outside the contract: healthz", "/healthz", undefined, "", 404],
    ["a path outside the contract: metrics", "/metrics", undefined, "", 404],
    ["an address", new URL(ADDRESS).pathname, undefined, "", 404],
  ] as const)("the response to %s comes from Prism itself", async (_, path, body, prefer, status) => {
    const headers = prefer === "" ? TOKEN : { ...TOKEN, Prefer: prefer };
    const answer = await send(path, { body, headers });
    expect([answer.status, answer.headers.get("content-type")]).toStrictEqual([status, "application/problem+json"]);
    expect(answer.body).not.toHaveProperty("name");
    expect(answer.body).not.toHaveProperty("requestId");
  });

  test("the mock doesn't respond to a body that isn't JSON", async () => {
    const cut = fetch(`${mock.ready}${OPEN}`, {
      method: "POST",
      body: "{",
      headers: { ...TOKEN, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(1000),
    });
    await expect(cut).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("headers have the contract's example values, regardless of the body", async () => {
    const { headers, body } = await send(LIST, { headers: {} });
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect(headers.get("x-request-id")).toBe("01K3ZQ9V7N4T0XW1");
    expect(body["requestId"]).not.toBe("01K3ZQ9V7N4T0XW1");
    const refused = await send(OPEN, { body: {}, headers: { ...TOKEN, Prefer: "code=503, example=notInstalled" } });
    expect(refused.headers.get("retry-after")).toBe("5");
  });

  test("generated bodies contain unknown members", async () => {
    const known = new Set(["sessions"]);
    const ask = () => send(LIST, { headers: { ...TOKEN, Prefer: "dynamic=true" } });
    const bodies = await Promise.all(Array.from({ length: 20 }, ask));
    expect(bodies.some(({ body }) => Object.keys(body).some((name) => !known.has(name)))).toBe(true);
  });
});

// The last test, because it stops the mock of all tests.
test("a stopped mock leaves no processes behind", async () => {
  await mock[Symbol.asyncDispose]();
  const late = fetch(`${mock.ready}${LIST}`);
  await expect(late).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
});
