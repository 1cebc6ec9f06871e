import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "./fault-proxy/ask.ts";
import { startProgram } from "./program.ts";
import { type Stage, type StageFile, openStage } from "./stage.ts";

const [OPEN, LIST, QUERY] = ["/api/v1/Browser/Open", "/api/v1/Browser/Get", "/api/v1/ai/Query"];
const CHROME = { Browser: 0 };
const JSON_BODY = { "content-type": "application/json" };

type Place = StageFile["stages"][number];

function call({ url, token }: Pick<Place, "url" | "token">, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : JSON_BODY) };
  return ask(`${url}${path}`, body === undefined ? undefined : JSON.stringify(body), headers);
}

describe("a stage", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage(["mock", "fake"]);
  });

  afterAll(() => stage[Symbol.asyncDispose]());

  const place = (name: string): Place => {
    const found = stage.content.stages.find((one) => one.name === name);
    if (found === undefined) throw new Error(`The stage ${name} does not exist.`);
    return found;
  };

  test("the stage's file contains the stage's content", () => {
    expect(JSON.parse(readFileSync(stage.file, "utf8"))).toStrictEqual(stage.content);
    expect(stage.content.scenarios.length).toBeGreaterThan(0);
  });

  test.each([
    [undefined, { response: "No, the shop is only open from Monday to Friday." }],
    ["text", { response: "No, the shop is only open from Monday to Friday." }],
    [
      "json",
      {
        value: [
          { product: "Apples", price: 2.4 },
          { product: "Pears", price: 3.1 },
        ],
      },
    ],
    [{ type: "number" }, { value: 39.9 }],
    [
      { type: "object", properties: { product: { type: "string" }, price: { type: "number" } } },
      { value: { product: "Kettle", price: 39.9 } },
    ],
    [{ $ref: "#/$defs/Price", $defs: { Price: { type: "number" } } }, { value: 39.9 }],
  ])("all servers respond to a Query for %j with the same text", async (format, answer) => {
    const responseFormat = typeof format === "object" ? JSON.stringify(format) : format;
    for (const name of ["mock", "fake"]) {
      const { text } = await call(place(name), QUERY, { html: "<p>Shop", prompt: "Say", responseFormat });
      expect(JSON.parse(text)).toMatchObject(answer);
    }
  });

  test.each([
    ["decline", 422, "ResponseRefused", undefined],
    ["nonsense", 502, "ProviderError", undefined],
    ["overloaded", 503, "ProviderUnavailable", "30"],
  ])("the prompt %s fails with %i %s, even after other prompts", async (prompt, status, name, retryAfter) => {
    const askIn = (responseFormat: string) => call(place("fake"), QUERY, { html: "<p>x</p>", prompt, responseFormat });
    const answers = await Promise.all(["text", "json", '{"type":"object"}', "text"].map(askIn));
    for (const { status: said, headers, text } of answers) {
      expect([said, headers["retry-after"]]).toStrictEqual([status, retryAfter]);
      expect(JSON.parse(text)).toMatchObject({ status, name, message: expect.any(String) });
    }
    expect((await call(place("fake"), QUERY, { html: "<p>x</p>", prompt: `Say ${prompt}` })).status).toBe(200);
  });

  test("opening Chrome, which isn't installed, fails without Retry-After", async () => {
    const { status, headers, text } = await call(place("fake"), OPEN, CHROME);
    expect([status, headers["retry-after"]]).toStrictEqual([503, undefined]);
    expect(JSON.parse(text)).toMatchObject({
      name: "BrowserUnavailable",
      message: expect.stringMatching(/not installed/),
    });
  });

  test.each([
    ["noSubscription", 402],
    ["noUnits", 403],
  ] as const)("an Open request from account %s fails with %i", async (key, status) => {
    const { url, tokens } = place("fake");
    expect((await call({ url, token: tokens[key] }, OPEN, {})).status).toBe(status);
  });

  test("the limited account may open only one browser", async () => {
    const { url, tokens } = place("fake");
    const open = () => call({ url, token: tokens.limited }, OPEN, {});
    expect([(await open()).status, (await open()).status]).toStrictEqual([200, 404]);
  });

  test("the account `hurried` exceeds its rate limit within ten calls, but the main account doesn't", async () => {
    const { url, token, tokens } = place("fake");
    const statuses = async (whose: string): Promise<number[]> => {
      const answers: number[] = [];
      for (let count = 0; count < 10; count += 1) answers.push((await call({ url, token: whose }, LIST)).status);
      return answers;
    };
    expect(await statuses(tokens.hurried)).toContain(429);
    expect(new Set(await statuses(token))).toStrictEqual(new Set([200]));
  });

  test("the mock itself returns errors, with the fault's Retry-After", async () => {
    const { url, token } = place("mock");
    const at = (fault: string) => call({ url: `${url}/~${fault}~n1`, token }, OPEN, {});
    const [full, missing] = [await at("busy-long"), await at("not-installed")];
    expect([full.status, full.headers["retry-after"]]).toStrictEqual([503, "3600"]);
    expect([missing.status, missing.headers["retry-after"]]).toStrictEqual([503, undefined]);
    expect(missing.text).toMatch(/not installed/);
  });

  test("the mock lists two sessions if a fault changes sessions", async () => {
    const { url, token } = place("mock");
    const { text } = await call({ url: `${url}/~new-members~n1`, token }, LIST);
    expect((JSON.parse(text) as { sessions: unknown[] }).sessions).toHaveLength(2);
  });
});

test("a stage leaves no processes or files", async () => {
  const args = [fileURLToPath(new URL("run.ts", import.meta.url)), "stage", "mock"];
  const program = await startProgram({ args, settings: {}, readyLine: /^(\/\S+stage\.json)$/ });
  const { stages } = JSON.parse(readFileSync(program.ready, "utf8")) as StageFile;
  const url = stages[0]?.url ?? "";
  expect((await ask(`${url}${LIST}`)).status).toBe(401);
  await program[Symbol.asyncDispose]();
  expect(() => readFileSync(program.ready)).toThrow(/ENOENT/);
  await expect(ask(`${url}${LIST}`)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("all scenarios run on all servers in all languages, as the README's table shows", async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("run.ts", import.meta.url))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [exitCode]] = await Promise.all([readAll(child.stdout), once(child, "exit")]);
  expect(output).toMatch(/^\d+ passed, 0 failed$/m);
  expect(exitCode).toBe(0);
}, 900_000);

test("the error for a program that can't start contains its output", async () => {
  const args = ["--eval", 'console.error("no room here"); process.exit(3)'];
  await expect(startProgram({ args, settings: {}, readyLine: /^ready (.*)$/ })).rejects.toThrow(/no room here/);
});
