import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  cutsAfter,
  eventsOf,
  fails,
  hangs,
  says,
  stallsAfter,
  stopsAfter,
  streams,
  toLines,
} from "../../../test/support/provider/provider-reactions.ts";
import { type FakeProvider, type Reaction, openFakeProvider } from "../../../test/support/provider/fake-provider.ts";
import { until } from "../../../test/support/until.ts";
import { Failure } from "../../domain/failure.ts";
import type { JsonSchema } from "../../domain/query/response-format.ts";
import { systemClock } from "../node/system-clock.ts";
import { AnthropicModel } from "./anthropic-model.ts";

const KEY = "canary-key-0123456789";
const PAGE = "canary-page";
const EVENTS = eventsOf("An answer of some length.").length;

let provider: FakeProvider;
let model: AnthropicModel;

beforeAll(async () => {
  provider = await openFakeProvider();
  model = new AnthropicModel({
    baseUrl: new URL(provider.url),
    model: "claude-test",
    maxOutputTokens: 1000,
    clock: systemClock,
  });
});
afterAll(() => provider[Symbol.asyncDispose]());

/** The number of requests before the current test. */
let before = 0;
afterEach(() => {
  before = provider.requests.length;
});
const askedNow = () => provider.requests.slice(before);

/** The total number of tokens in all requests. */
let tokens = 0;

function ask(schema?: JsonSchema, signal = new AbortController().signal): Promise<string> {
  const question = { instructions: "Rules.", turns: [{ role: "user" as const, text: PAGE }], schema };
  return model.answer(question, KEY, (used) => (tokens += used), signal);
}

async function failureOf(reactions: readonly Reaction[], schema?: JsonSchema): Promise<Failure> {
  provider.react(...reactions);
  const failure = await ask(schema).catch((error: unknown) => error);
  if (!(failure instanceof Failure)) throw new Error(`Expected a Failure: ${String(failure)}`);
  return failure;
}

describe("an answer", () => {
  test.each([
    ["events", "event: ping\ndata: {}\n\n".repeat(1000)],
    ["one line", "x".repeat(2 ** 16)],
  ])("that never ends (%s) is aborted", async (_, part) => {
    const failure = await failureOf([
      (response) => {
        const write = (): void => {
          while (!response.destroyed && response.write(part));
        };
        response.writeHead(200, { "Content-Type": "text/event-stream" }).on("drain", write);
        write();
      },
    ]);
    expect(failure).toMatchObject({ failure: "ProviderError", message: expect.stringContaining("cannot be read") });
    await until(
      () => provider.pending,
      (pending) => pending === 0,
    );
  });

  test("is the streamed text without thinking", async () => {
    provider.react(says("Nine to five, 39.90 €"));
    expect(await ask()).toBe("Nine to five, 39.90 €");
    const [{ path, headers, body } = expect.fail()] = askedNow();
    expect(path).toBe("/v1/messages");
    expect(JSON.stringify(headers)).toContain(KEY);
    expect(body).toEqual({
      model: "claude-test",
      max_tokens: 1000,
      stream: true,
      system: "Rules.",
      messages: [{ role: "user", content: PAGE }],
    });
  });

  test("reports the input and output tokens even if the answer is unusable", async () => {
    tokens = 0;
    provider.react(says("Yes."));
    await ask();
    expect(tokens).toBe(30 + 3 + 9);
    provider.react(says("Yes", "max_tokens"));
    await ask().catch(() => {});
    expect(tokens).toBe(2 * (30 + 3 + 9));
  });

  test("that is a bare number is requested as an object and returned unwrapped", async () => {
    provider.react(says('{"value": 39.90}'));
    expect(await ask({ type: "number", minimum: 0 })).toBe("39.90");
    expect(askedNow()[0]?.body.output_config?.format).toEqual({
      type: "json_schema",
      schema: {
        type: "object",
        properties: { value: { type: "number" } },
        required: ["value"],
        additionalProperties: false,
      },
    });
  });

  test.each([
    ['{"value":{"value":[1,"}"]}}', '{"value":[1,"}"]}'],
    ['\n{ "value" : "a\\nb" }\n', '"a\\nb"'],
    ['{"price":3}', '{"price":3}'],
    ["I can't.", "I can't."],
  ])("that is wrapped in an object, %j, is returned as %j", async (said, text) => {
    provider.react(says(said));
    expect(await ask({ type: "string" })).toBe(text);
  });

  test("is requested without the schema when the provider refuses it", async () => {
    provider.react(fails(400, "invalid_request_error"), says("39.9"));
    expect(await ask({ type: "number" })).toBe("39.9");
    expect(askedNow().map(({ body }) => body.output_config === undefined)).toEqual([false, true]);
  });
});

describe("a stream", () => {
  test.each(Array.from({ length: EVENTS - 1 }, (_, at) => at + 1))(
    "that is cut off after %i events is reported as a failure",
    async (count) => {
      for (const reaction of [cutsAfter(count), stopsAfter(count)]) {
        expect((await failureOf([reaction])).failure).toBe("ProviderError");
      }
      expect(askedNow()).toHaveLength(2);
    },
  );

  test.each<[string, Reaction]>([
    ["no JSON", streams(`${toLines({ type: "ping" })}event: message_delta\ndata: {"type":\n\n`)],
    ["half an event", streams('event: content_block_delta\ndata: {"type":"content_block_delta","index":0')],
    ["an event without its members", streams(toLines({ type: "content_block_delta" }))],
    ["null for an event", streams("event: message_stop\ndata: null\n\n")],
    ["an unknown stop reason", says("x", "tired")],
    ["no event at all", streams("")],
    ["an HTML page instead of events", streams("<html>Gateway</html>")],
    ["a tool call", says("x", "tool_use")],
    ["an answer without text", says("")],
    ["text that is too long", says("An answer", "max_tokens")],
    ["a page that is too long", says("An", "model_context_window_exceeded")],
    ["an error in the middle", streams(toLines({ type: "error", error: { type: "api_error", message: PAGE } }))],
  ])("that contains %s is reported as a failure", async (_what, reaction) => {
    const failure = await failureOf([reaction]);
    expect(failure.failure).toBe("ProviderError");
    expect(failure.message).not.toContain(PAGE);
    expect(askedNow()).toHaveLength(1);
  });

  test("that reports overload halfway can be retried later", async () => {
    const event = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect((await failureOf([streams(toLines(event))])).failure).toBe("ProviderUnavailable");
  });
});

test("a model's refusal results in ResponseRefused, even after a partial answer", async () => {
  const failure = await failureOf([says("Once upon", "refusal")]);
  expect(failure.failure).toBe("ResponseRefused");
});

describe("a provider that", () => {
  test.each<[number, string, Record<string, string>, string, number | undefined, number]>([
    [401, "authentication_error", {}, "ProviderUnavailable", undefined, 1],
    [402, "billing_error", {}, "ProviderUnavailable", undefined, 1],
    [403, "permission_error", {}, "ProviderUnavailable", undefined, 1],
    [401, "from a gateway", {}, "ProviderUnavailable", undefined, 1],
    [529, "from a gateway", {}, "ProviderUnavailable", undefined, 2],
    [404, "not_found_error", {}, "ProviderError", undefined, 1],
    [400, "invalid_request_error", {}, "ProviderError", undefined, 1],
    [413, "request_too_large", {}, "ProviderError", undefined, 1],
    [429, "rate_limit_error", {}, "ProviderUnavailable", undefined, 1],
    [429, "rate_limit_error", { "retry-after": "20" }, "ProviderUnavailable", 20, 1],
    [429, "rate_limit_error", { "retry-after": "0.5" }, "ProviderUnavailable", 1, 1],
    [429, "rate_limit_error", { "retry-after": "99999999" }, "ProviderUnavailable", 3600, 1],
    [429, "rate_limit_error", { "retry-after": "soon" }, "ProviderUnavailable", undefined, 1],
    [429, "rate_limit_error", { "retry-after": "-5" }, "ProviderUnavailable", undefined, 1],
    [529, "overloaded_error", {}, "ProviderUnavailable", undefined, 2],
    [529, "overloaded_error", { "retry-after": "30" }, "ProviderUnavailable", 30, 1],
    [500, "api_error", {}, "ProviderError", undefined, 2],
    [502, "api_error", {}, "ProviderError", undefined, 2],
  ])(
    "responds with %i %s %j is reported as %s (retry after %s s, %i requests)",
    async (status, type, headers, name, retryAfterS, times) => {
      const failure = await failureOf([fails(status, type, headers, `${KEY} ${PAGE}`)]);
      expect(failure).toMatchObject({ failure: name, retryAfterS });
      expect(askedNow()).toHaveLength(times);
      // Neither the error nor the log repeats the provider's message.
      const shown = [failure.message, JSON.stringify(failure.cause), String(failure.cause)].join(" ");
      expect(shown).not.toContain(KEY);
      expect(shown).not.toContain(PAGE);
    },
  );

  test("sends a date in Retry-After is reported with the number of seconds until that date", async () => {
    const date = new Date(Date.now() + 90_000).toUTCString();
    const { retryAfterS = 0 } = await failureOf([fails(429, "rate_limit_error", { "retry-after": date })]);
    expect(retryAfterS).toBeGreaterThan(80);
    expect(retryAfterS).toBeLessThanOrEqual(90);
  });

  test("fails once receives a second request", async () => {
    provider.react(fails(529, "overloaded_error"), says("Here."));
    expect(await ask()).toBe("Here.");
  });

  test("can't be reached, or redirects, is unavailable", async () => {
    const elsewhere: Reaction = (response) => {
      response.writeHead(307, { location: "/elsewhere" }).end();
    };
    expect((await failureOf([elsewhere])).failure).toBe("ProviderUnavailable");
    expect(new Set(askedNow().map(({ path }) => path))).toEqual(new Set(["/v1/messages"]));
    const options = { model: "m", maxOutputTokens: 16, clock: systemClock };
    const unreachable = new AnthropicModel({ ...options, baseUrl: new URL("http://127.0.0.1:9") });
    const question = { instructions: "", turns: [{ role: "user" as const, text: PAGE }], schema: undefined };
    await expect(unreachable.answer(question, KEY, () => {}, new AbortController().signal)).rejects.toMatchObject({
      failure: "ProviderUnavailable",
    });
  });
});

describe("a caller that aborts", () => {
  test.each<[string, Reaction]>([
    ["before the first byte", hangs()],
    ["after part of the response", stallsAfter(7)],
  ])("%s ends the provider's request", async (_when, reaction) => {
    provider.react(reaction);
    const caller = new AbortController();
    const answer = ask(undefined, caller.signal);
    await provider.untilRequests(before + 1);
    caller.abort(new Error("gone"));
    await expect(answer).rejects.toThrow("gone");
    await until(
      () => askedNow()[0]?.isAbandoned,
      (isAbandoned) => isAbandoned === true,
    );
  });

  test("while waiting to retry sends no second request", async () => {
    provider.react(fails(529, "overloaded_error", { "retry-after": "1" }));
    const caller = new AbortController();
    const answer = ask(undefined, caller.signal);
    await provider.untilRequests(before + 1);
    caller.abort(new Error("gone"));
    await expect(answer).rejects.toThrow("gone");
    expect(askedNow()).toHaveLength(1);
  });
});

test("the SDK logs nothing, regardless of its environment variables", async () => {
  vi.stubEnv("ANTHROPIC_LOG", "debug");
  const spies = (["debug", "info", "warn", "error", "log"] as const).map((method) => vi.spyOn(console, method));
  provider.react(streams("event: message_delta\ndata: {nonsense\n\n"));
  await ask().catch(() => {});
  provider.react(says("Fine."));
  await ask();
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
