import { inspect } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  CLOSED,
  OPENED,
  type Reaction,
  SESSIONS,
  connectionLost,
  connectionRefused,
  fakeFetch,
  refusal,
} from "../test/support/fake-fetch.ts";
import { RemoteBrowserClient } from "./client.ts";
import {
  ApiError,
  BrowserUnavailableError,
  type ClientSettings,
  ConnectionError,
  TimeoutError,
  TooManyRequestsError,
} from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.spyOn(Math, "random").mockReturnValue(0);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Operation = (client: RemoteBrowserClient) => Promise<unknown>;

const open: Operation = async (client) => client.open();
const list: Operation = async (client) => client.list();
const query: Operation = async (client) => client.query("<p>1</p>", "What is it?");

/** Runs an operation with a fake clock. @returns The time of each request, and the outcome. */
async function follow(operation: Operation, reactions: [Reaction, ...Reaction[]], settings: ClientSettings = {}) {
  const { fetch, sent } = fakeFetch(...reactions);
  const client = new RemoteBrowserClient({ token: "rbs_t", fetch, ...settings });
  const startMs = performance.now();
  const outcome = operation(client).then(
    () => "done" as const,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  expect(vi.getTimerCount(), "remaining timers").toBe(0);
  return {
    outcome: await outcome,
    atMs: sent.map((each) => each.atMs - startMs),
    tookMs: performance.now() - startMs,
  };
}

const gateway: Reaction = { status: 502, body: "<html>Bad gateway</html>" };

test("an error with Retry-After is retried after exactly that delay, even for Open", async () => {
  const { outcome, atMs } = await follow(open, [
    refusal("BrowserUnavailable", 5),
    refusal("TooManyRequests", 2),
    OPENED,
  ]);
  expect(outcome).toBe("done");
  expect(atMs).toStrictEqual([0, 5000, 7000]);
});

test("an error without Retry-After is not retried", async () => {
  const { outcome, atMs } = await follow(open, [refusal("BrowserUnavailable"), OPENED]);
  expect(outcome).toBeInstanceOf(BrowserUnavailableError);
  expect(atMs).toStrictEqual([0]);
});

test("an error with the retry rule `never` is not retried, even with Retry-After", async () => {
  const { outcome, atMs } = await follow(list, [refusal("NoUnits", 1), SESSIONS]);
  expect(outcome).toMatchObject({ name: "NoUnits", retryAfter: 1 });
  expect(atMs).toStrictEqual([0]);
});

test("a call is retried `retries` times, and then throws the last error", async () => {
  const { outcome, atMs } = await follow(list, [refusal("TooManyRequests", 1)], { retries: 3 });
  expect(outcome).toBeInstanceOf(TooManyRequestsError);
  expect(atMs).toStrictEqual([0, 1000, 2000, 3000]);
});

test("a call fails immediately if the wait would exceed the total timeout", async () => {
  const { outcome, atMs, tookMs } = await follow(open, [refusal("BrowserUnavailable", 3600), OPENED]);
  expect(outcome).toMatchObject({ name: "BrowserUnavailable", retryAfter: 3600 });
  expect({ atMs, tookMs }).toStrictEqual({ atMs: [0], tookMs: 0 });
});

test("if connecting fails, every operation is retried, with increasing waits", async () => {
  for (const operation of [open, query, list]) {
    const { outcome, atMs } = await follow(operation, [connectionRefused()], { retries: 3 });
    expect(outcome).toBeInstanceOf(ConnectionError);
    expect(atMs).toStrictEqual([0, 250, 750, 1750]);
  }
});

test("jitter shortens a wait by up to half", async () => {
  vi.mocked(Math.random).mockReturnValue(0.999_999);
  const { atMs } = await follow(list, [connectionRefused(), SESSIONS]);
  expect(atMs[1]).toBeCloseTo(125, 2);
});

test.each([
  ["a lost connection", connectionLost()],
  ["a gateway's response", gateway],
])("after %s, only idempotent operations are retried", async (_what, reaction) => {
  const idempotent: Operation[] = [
    list,
    async (client) => client.browser("a").close(),
    async (client) => client.browser("a").stopDesktop(),
  ];
  for (const operation of idempotent) {
    const { outcome, atMs } = await follow(operation, [reaction, operation === list ? SESSIONS : CLOSED]);
    expect(outcome).toBe("done");
    expect(atMs).toStrictEqual([0, 250]);
  }
  const { outcome, atMs } = await follow(query, [reaction, OPENED]);
  expect(outcome).toBeInstanceOf(reaction === gateway ? ApiError : ConnectionError);
  expect(atMs).toStrictEqual([0]);
});

test("a Retry-After from a gateway, or with a date, is ignored", async () => {
  const later: Reaction = { ...gateway, headers: { "Retry-After": "60" } };
  expect((await follow(list, [later, SESSIONS])).atMs).toStrictEqual([0, 250]);
  const dated: Reaction = {
    status: 503,
    body: { name: "BrowserUnavailable" },
    headers: { "Retry-After": new Date().toUTCString() },
  };
  const { outcome, atMs } = await follow(list, [dated, SESSIONS]);
  expect(outcome).toMatchObject({ name: "BrowserUnavailable", retryAfter: null });
  expect(atMs).toStrictEqual([0]);
});

test("a TLS failure is not retried", async () => {
  const cause = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  for (const operation of [open, query, list]) {
    const { outcome, atMs } = await follow(operation, [new TypeError("fetch failed", { cause }), SESSIONS]);
    expect(outcome).toBeInstanceOf(ConnectionError);
    expect(String(outcome)).toContain("set up TLS with 127.0.0.1:8080: self-signed certificate");
    expect(atMs).toStrictEqual([0]);
  }
});

test("a call to a port that `fetch` blocks is not retried, and the error states the reason", async () => {
  const forbidden = new TypeError("fetch failed", { cause: new Error("bad port") });
  const { outcome, atMs } = await follow(list, [forbidden, SESSIONS]);
  expect(outcome).toBeInstanceOf(ConnectionError);
  expect(String(outcome)).toContain("127.0.0.1:8080: fetch blocks this port. Use another port in `url`.");
  expect(atMs).toStrictEqual([0]);
});

test("secrets in the errors that a custom `fetch` throws, and in their causes, are hidden", async () => {
  const cause = Object.assign(new Error("at ws://h/devtools/browser/secret"), { headers: "Bearer rbs_t", code: "E1" });
  const { outcome } = await follow(open, [new TypeError("Bearer rbs_t refused", { cause })]);
  expect(outcome).toBeInstanceOf(ConnectionError);
  expect(inspect(outcome, { depth: 9, showHidden: true })).not.toMatch(/rbs_t|browser\/secret/);
  expect(outcome).toMatchObject({ cause: { message: "Bearer … refused", cause: { code: "E1" } } });
});

test("if a successful response isn't JSON, the error hides a token in the Content-Type header", async () => {
  const page: Reaction = { status: 200, body: "<p>", headers: { "Content-Type": "text/rbs_t" } };
  expect(String((await follow(list, [page])).outcome)).toContain("3 characters of text/….");
});

test("other responses that aren't from the service are not retried", async () => {
  const { outcome, atMs } = await follow(list, [{ status: 404, body: "<html>" }, SESSIONS]);
  expect(outcome).toMatchObject({ name: "", status: 404 });
  expect(atMs).toStrictEqual([0]);
});

test("after `timeoutMs`, a list request is retried, but an Open request of contract version 1.0 isn't", async () => {
  const again = await follow(list, ["silence", SESSIONS], { timeoutMs: 1000 });
  expect(again).toMatchObject({ outcome: "done", atMs: [0, 1250] });
  const never = await follow(open, ["silence", refusal("NotFound"), OPENED], { timeoutMs: 1000 });
  expect(never).toMatchObject({ atMs: [0, 1250], tookMs: 1250 });
  expect(never.outcome).toBeInstanceOf(TimeoutError);
  expect(String(never.outcome)).toContain("within 1000 ms (`timeoutMs`)");
});

test("`waitForPlace` extends the timeout of an attempt", async () => {
  const waiting: Operation = async (client) => client.open({ waitForPlace: 30 });
  const { outcome, tookMs } = await follow(waiting, ["silence"], { timeoutMs: 1000, retries: 0 });
  expect(tookMs).toBe(31_000);
  expect(String(outcome)).toContain("within 31000 ms (`timeoutMs` and `waitForPlace`)");
  const limited = await follow(waiting, ["silence"], { timeoutMs: 1000, totalTimeoutMs: 20_000, retries: 0 });
  expect(limited.tookMs).toBe(20_000);
  expect(String(limited.outcome)).toContain("within 20000 ms (`totalTimeoutMs`)");
});

test("`waitForPlace` doesn't change the retry rules of an Open request", async () => {
  const waiting: Operation = async (client) => client.open({ waitForPlace: 30 });
  expect((await follow(waiting, [refusal("BrowserLimit"), OPENED])).outcome).toMatchObject({ name: "BrowserLimit" });
  const { outcome, atMs } = await follow(waiting, [refusal("BrowserUnavailable", 5), OPENED]);
  expect({ outcome, atMs }).toStrictEqual({ outcome: "done", atMs: [0, 5000] });
});

test("an attempt times out even if a custom `fetch` ignores the signal", async () => {
  const fetch = async () => new Promise<Response>(() => undefined);
  const { outcome, tookMs } = await follow(list, [SESSIONS], { fetch, timeoutMs: 1000, retries: 0 });
  expect(outcome).toBeInstanceOf(TimeoutError);
  expect(tookMs).toBe(1000);
});

test("only the total timeout applies to a query", async () => {
  const { outcome, tookMs } = await follow(query, ["silence"], { timeoutMs: 1000, totalTimeoutMs: 20_000 });
  expect(outcome).toBeInstanceOf(TimeoutError);
  expect(String(outcome)).toContain("within 20000 ms (`totalTimeoutMs`)");
  expect(tookMs).toBe(20_000);
});

test("the total timeout applies to all attempts together", async () => {
  const { outcome, atMs, tookMs } = await follow(list, ["silence"], { timeoutMs: 1000, totalTimeoutMs: 1500 });
  expect(outcome).toBeInstanceOf(TimeoutError);
  expect({ atMs, tookMs }).toStrictEqual({ atMs: [0, 1250], tookMs: 1500 });
});

test("by default, an attempt may take 90 s and a call 300 s, with two retries", async () => {
  const { atMs, tookMs } = await follow(list, ["silence"]);
  expect({ atMs, tookMs }).toStrictEqual({ atMs: [0, 90_250, 180_750], tookMs: 270_750 });
  expect((await follow(query, ["silence"])).tookMs).toBe(300_000);
});

test.each([
  ["immediately", 0, "silence"],
  ["during an attempt", 100, "silence"],
  ["during a wait", 1500, refusal("TooManyRequests", 9)],
] as const)("a call that is aborted %s rejects with the signal's reason", async (_when, afterMs, reaction) => {
  const reason = new Error("enough");
  const { fetch, sent } = fakeFetch(reaction);
  const abort = new AbortController();
  const listing = new RemoteBrowserClient({ token: "rbs_t", fetch }).list({ signal: abort.signal });
  const outcome = listing.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(afterMs);
  abort.abort(reason);
  expect(await outcome).toBe(reason);
  expect(sent).toHaveLength(1);
  expect(vi.getTimerCount(), "remaining timers").toBe(0);
});

test("a call with an aborted signal sends nothing", async () => {
  const { fetch, sent } = fakeFetch(SESSIONS);
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(new RemoteBrowserClient({ token: "rbs_t", fetch }).list({ signal })).rejects.toThrow("enough");
  expect(sent).toStrictEqual([]);
});
