import { beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { FakeModel } from "../../../test/fakes/fake-model.ts";
import { FakeQueryStore } from "../../../test/fakes/fake-query-store.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { RecordingMetrics } from "../../../test/fakes/recording-metrics.ts";
import type { Account } from "../../domain/account/account.ts";
import { Failure } from "../../domain/failure.ts";
import type { SchemaProblem } from "../../ports/schema-checker.ts";
import type { PageReducer } from "../../ports/page-reducer.ts";
import { Query } from "./query.ts";
import { TokenBudget } from "./token-budget.ts";

const NEVER = new AbortController().signal;
const ACCOUNT: Account = {
  id: "a1",
  email: "a@example.com",
  plan: undefined,
  parallel: undefined,
  units: undefined,
  hasAdditionalUnits: false,
  isDisabled: false,
  isOperator: false,
  version: 0,
  createdAt: new Date(0),
};
const WRONG: SchemaProblem = { inValue: "/price must be number", inSchema: "price must be number" };

let model: FakeModel;
let clock: FakeClock;
let log: RecordingLog;
let metrics: RecordingMetrics;
let key: string | undefined;
let isDeployments: boolean;
let spent: FakeQueryStore;
/** The problems that the schema checker finds in each answer. */
let findings: SchemaProblem[][];
let reduce: PageReducer["reduce"];

beforeEach(() => {
  model = new FakeModel();
  clock = new FakeClock();
  log = new RecordingLog();
  metrics = new RecordingMetrics();
  key = "key";
  isDeployments = true;
  spent = new FakeQueryStore();
  findings = [];
  reduce = async (page, maxChars) => ({ text: page.slice(0, maxChars), fullChars: page.length });
});

function newQuery(): Query {
  return new Query({
    parallel: 1,
    accountParallel: 1,
    model,
    clock,
    log,
    metrics,
    pages: { reduce },
    schemas: {
      accept: async () => {},
      findProblems: async () => findings.shift() ?? [],
    },
    newMark: () => "0123abcd",
    credentialOf: async ({ id }) => (id === "a1" && key !== undefined ? { key, isDeployments } : undefined),
    budget: new TokenBudget({ store: spent, clock, log, perAccount: 20, perDeployment: 100 }),
    timeoutMs: 10_000,
    maxInputChars: 1000,
  });
}

function ask(prompt: string, responseFormat?: string, html = "<p>39.90</p>", signal = NEVER) {
  return newQuery().ask(ACCOUNT, { html, prompt, responseFormat }, signal);
}

/** Returns a promise's result or error, so that a rejection can be checked later. */
function settled(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}

describe("a question", () => {
  test("wraps the page in markers, appends the task, and puts the rules in the instructions", async () => {
    await ask("What is it?");
    const [{ question, credential } = expect.fail()] = model.requests;
    expect(credential).toBe("key");
    expect(question.turns).toEqual([
      { role: "user", text: "<page 0123abcd>\n<p>39.90</p>\n</page 0123abcd>\n\nThe task:\nWhat is it?" },
    ]);
    expect(question.instructions).toMatch(/strangers/);
    expect(question.instructions).not.toMatch(/39\.90|What is it/);
    expect(question.schema).toBeUndefined();
  });

  test("states how much of a page is missing", async () => {
    await ask("p", undefined, "x".repeat(5000));
    expect(model.requests[0]?.question.turns[0]?.text).toContain("the first 999 of its 5000 characters");
  });

  test("quotes its schema to the model and passes it to the provider", async () => {
    model.answers = ["3"];
    await ask("p", '{"type":"number"}');
    const [{ question } = expect.fail()] = model.requests;
    expect(question.instructions).toContain('{"type":"number"}');
    expect(question.schema).toEqual({ type: "number" });
  });

  test("is refused with the prompt's path if its prompt is too long", async () => {
    await expect(ask("x".repeat(1000))).rejects.toMatchObject({ failure: "BadRequest", errors: [{ path: "/prompt" }] });
    expect(model.requests).toEqual([]);
  });

  test("is refused without a key, and the message explains where to set a key", async () => {
    key = undefined;
    await expect(ask("p")).rejects.toMatchObject({
      failure: "ProviderUnavailable",
      message: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    for (const wrong of [ask("p", "xml"), ask("x".repeat(1000))])
      await expect(wrong).rejects.toMatchObject({ failure: "BadRequest" });
  });
});

describe("a day's tokens", () => {
  test("are checked before the model is called with the deployment's key", async () => {
    await spent.addTokens(ACCOUNT.id, clock.now().toISOString().slice(0, 10), 20);
    await expect(ask("p")).rejects.toMatchObject({ failure: "TooManyRequests" });
    expect(model.requests).toEqual([]);
  });

  test("aren't counted for queries with an account's own key", async () => {
    isDeployments = false;
    for (let query = 0; query < 4; query += 1) await ask("p");
    expect(spent.used.size).toBe(0);
  });

  test("are counted even if the answer is unusable", async () => {
    model.answers = [new Failure("ProviderError", "cut off")];
    await settled(ask("p"));
    expect([...spent.used.values()]).toEqual([10]);
  });
});

describe("an answer", () => {
  test("has no value in text format, even if the answer is JSON", async () => {
    model.answers = ["{}"];
    expect(await ask("p", "text")).toEqual({ response: "{}" });
  });

  test.each<[string, unknown]>([
    ["39.9", 39.9],
    ["null", null],
    ['[{"a":1}]', [{ a: 1 }]],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ["```\n[1]\n```\n", [1]],
  ])("includes a JSON value: %j", async (text, value) => {
    model.answers = [text];
    expect(await ask("p", "json")).toEqual({ response: text, value });
  });

  test("is sent back to the model once for repair if it isn't JSON", async () => {
    model.answers = ["The price is 39.90.", "39.9"];
    expect(await ask("p", "json")).toEqual({ response: "39.9", value: 39.9 });
    const [first, second] = model.requests.map(({ question }) => question.turns);
    expect(second?.slice(0, 1)).toEqual(first);
    expect(second?.slice(1)).toMatchObject([
      { role: "assistant", text: "The price is 39.90." },
      { role: "user", text: expect.stringContaining("it is not JSON") },
    ]);
  });

  test("is repaired once if it doesn't match the schema, and the model sees the problems", async () => {
    model.answers = ['{"price":"x"}', '{"price":3}'];
    findings = [[WRONG], []];
    expect(await ask("p", '{"type":"object"}')).toEqual({ response: '{"price":3}', value: { price: 3 } });
    expect(model.requests[1]?.question.turns[2]?.text).toContain("/price must be number");
  });

  test("causes an error that doesn't quote the answer if it is wrong twice", async () => {
    model.answers = ['{"price":"canary"}'];
    findings = [[WRONG], [WRONG]];
    const failure: unknown = await ask("p", "{}").catch((error: unknown) => error);
    expect(failure).toMatchObject({
      failure: "ProviderError",
      message: expect.stringContaining("price must be number"),
    });
    expect(String(failure)).not.toContain("canary");
    expect(model.requests).toHaveLength(2);
  });
});

test("the provider's failures are passed on", async () => {
  const failure = new Failure("ResponseRefused", "No.");
  model.answers = [failure];
  await expect(ask("p")).rejects.toBe(failure);
});

test("a query times out, and its request to the model is cancelled", async () => {
  model.isHanging = true;
  const answer = settled(ask("p"));
  await clock.pass(9_999);
  expect(model.requests).toHaveLength(1);
  await clock.pass(1);
  const message = "The query was not answered within 10 s.";
  expect(await answer).toMatchObject({ failure: "ProviderUnavailable", message });
});

test("a failure that occurs at the timeout is reported instead of the timeout", async () => {
  const failure = new Failure("BadRequest", "html takes too long to read.");
  reduce = (_page, _maxChars, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(failure)));
  const answer = settled(ask("p"));
  await clock.pass(1);
  await clock.pass(9_999);
  expect(await answer).toBe(failure);
});

test("if the caller disconnects, the query ends without a timeout, and no timer remains", async () => {
  model.isHanging = true;
  const caller = new AbortController();
  const answer = settled(ask("p", undefined, "h", caller.signal));
  await clock.pass(1);
  caller.abort(new Error("gone"));
  expect(await answer).toMatchObject({ message: "gone" });
  expect(metrics.of("queryAnswered")).toEqual([["abandoned", expect.any(Number)]]);
  expect(clock.pending).toBe(0);
});

test("the log contains times and lengths, but no content", async () => {
  model.answers = ["canary-answer"];
  await ask("canary-prompt", "text", "canary-page");
  expect(log.lines).toMatchObject([{ event: "query.answered", facts: { pageChars: 11, isRepaired: false } }]);
  expect(log.text()).not.toContain("canary");
});

test("every query is counted once, with its outcome", async () => {
  await ask("What is it?");
  key = undefined;
  await settled(ask("What is it?"));
  await settled(ask("What is it?", "xml"));
  expect(metrics.calls).toEqual([
    ["queryAnswered", "ok", 0],
    ["queryAnswered", "ProviderUnavailable", 0],
    ["queryAnswered", "BadRequest", 0],
  ]);
});

test("checks of requests without a permit are limited like queries, and excess checks wait", async () => {
  const query = newQuery();
  const check = await query.acquireCheck(ACCOUNT, NEVER);
  const waiting = Array.from({ length: 8 }, () => settled(query.acquireCheck(ACCOUNT, NEVER)));
  expect(await settled(query.acquireCheck(ACCOUNT, NEVER))).toMatchObject({
    failure: "ProviderUnavailable",
    retryAfterS: 5,
  });
  await clock.pass(15_000);
  await Promise.all(waiting);
  check[Symbol.dispose]();
  (await query.acquireCheck(ACCOUNT, NEVER))[Symbol.dispose]();
  await expect(query.check(ACCOUNT, { html: "", prompt: "", responseFormat: "xml" }, NEVER)).rejects.toThrow(
    "responseFormat",
  );
});

test("a query that never runs is also counted, with its waiting time", async () => {
  const query = newQuery();
  const place = await query.acquirePermit(ACCOUNT, NEVER);
  const waiting = Array.from({ length: 7 }, () => settled(query.acquirePermit(ACCOUNT, NEVER)));
  const caller = new AbortController();
  const leaving = settled(query.acquirePermit(ACCOUNT, caller.signal));
  expect(query.load).toEqual({ running: 1, waiting: 8 });
  expect(await settled(query.acquirePermit(ACCOUNT, NEVER))).toMatchObject({
    failure: "ProviderUnavailable",
    retryAfterS: 5,
  });
  await clock.pass(1000);
  caller.abort(new Error("gone"));
  await leaving;
  expect(metrics.of("queryAnswered")).toEqual([
    ["ProviderUnavailable", 0],
    ["abandoned", 1000],
  ]);
  await clock.pass(14_000);
  await Promise.all(waiting);
  expect(metrics.of("queryAnswered").slice(2)).toEqual(waiting.map(() => ["ProviderUnavailable", 15_000]));
  place[Symbol.dispose]();
  expect(query.load).toEqual({ running: 0, waiting: 0 });
});
