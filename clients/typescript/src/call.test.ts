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

/** Carries out an operation while the clock runs. @returns When each request was sent, and what came of it. */
async function follow(operation: Operation, reactions: [Reaction, ...Reaction[]], settings: ClientSettings = {}) {
  const { fetch, sent } = fakeFetch(...reactions);
  const client = new RemoteBrowserClient({ token: "rbs_t", fetch, ...settings });
  const startMs = performance.now();
  const outcome = operation(client).then(
    () => "done" as const,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  expect(vi.getTimerCount(), "timers that are left").toBe(0);
  return {
    outcome: await outcome,
    atMs: sent.map((each) => each.atMs - startMs),
    tookMs: performance.now() - startMs,
  };
}

const gateway: Reaction = { status: 502, body: "<html>Bad gateway</html>" };

test("a refusal that tells when is tried again exactly then, an Open too", async () => {
  const { outcome, atMs } = await follow(open, [
    refusal("BrowserUnavailable", 5),
    refusal("TooManyRequests", 2),
    OPENED,
  ]);
  expect(outcome).toBe("done");
  expect(atMs).toStrictEqual([0, 5000, 7000]);
});

test("a refusal that does not tell when is not tried again", async () => {
  const { outcome, atMs } = await follow(open, [refusal("BrowserUnavailable"), OPENED]);
  expect(outcome).toBeInstanceOf(BrowserUnavailableError);
  expect(atMs).toStrictEqual([0]);
});

test("a refusal whose rule is never is not tried again, whatever it tells", async () => {
  const { outcome, atMs } = await follow(list, [refusal("NoUnits", 1), SESSIONS]);
  expect(outcome).toMatchObject({ name: "NoUnits", retryAfter: 1 });
  expect(atMs).toStrictEqual([0]);
});

test("there are as many repeats as `retries` says, and the last error is thrown", async () => {
  const { outcome, atMs } = await follow(list, [refusal("TooManyRequests", 1)], { retries: 3 });
  expect(outcome).toBeInstanceOf(TooManyRequestsError);
  expect(atMs).toStrictEqual([0, 1000, 2000, 3000]);
});

test("a wait that does not fit in the total time is not begun", async () => {
  const { outcome, atMs, tookMs } = await follow(open, [refusal("BrowserUnavailable", 3600), OPENED]);
  expect(outcome).toMatchObject({ name: "BrowserUnavailable", retryAfter: 3600 });
  expect({ atMs, tookMs }).toStrictEqual({ atMs: [0], tookMs: 0 });
});

test("without a connection nothing was sent, so every operation is repeated, after growing waits", async () => {
  for (const operation of [open, query, list]) {
    const { outcome, atMs } = await follow(operation, [connectionRefused()], { retries: 3 });
    expect(outcome).toBeInstanceOf(ConnectionError);
    expect(atMs).toStrictEqual([0, 250, 750, 1750]);
  }
});

test("growing waits are up to half shorter by chance", async () => {
  vi.mocked(Math.random).mockReturnValue(0.999_999);
  const { atMs } = await follow(list, [connectionRefused(), SESSIONS]);
  expect(atMs[1]).toBeCloseTo(125, 2);
});

test.each([
  ["a lost connection", connectionLost()],
  ["a gateway's answer", gateway],
])("after %s what may have happened is repeated only where twice is the same as once", async (_what, reaction) => {
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
  for (const operation of [open, query]) {
    const { outcome, atMs } = await follow(operation, [reaction, OPENED]);
    expect(outcome).toBeInstanceOf(reaction === gateway ? ApiError : ConnectionError);
    expect(atMs).toStrictEqual([0]);
  }
});

test("a gateway's Retry-After changes no wait, and nor does a date of the service", async () => {
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

test("TLS that could not be set up is never tried again, since waiting mends no certificate", async () => {
  const cause = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  for (const operation of [open, query, list]) {
    const { outcome, atMs } = await follow(operation, [new TypeError("fetch failed", { cause }), SESSIONS]);
    expect(outcome).toBeInstanceOf(ConnectionError);
    expect(String(outcome)).toContain("(TLS): self-signed certificate");
    expect(atMs).toStrictEqual([0]);
  }
});

test("an error and its causes show nothing of what a `fetch` of one's own repeats of a request", async () => {
  const cause = Object.assign(new Error("at ws://h/devtools/browser/secret"), { headers: "Bearer rbs_t", code: "E1" });
  const { outcome } = await follow(open, [new TypeError("Bearer rbs_t refused", { cause })]);
  expect(outcome).toBeInstanceOf(ConnectionError);
  expect(inspect(outcome, { depth: 9, showHidden: true })).not.toMatch(/rbs_t|browser\/secret/);
  expect(outcome).toMatchObject({ cause: { message: "Bearer … refused", cause: { code: "E1" } } });
});

test("a success that is no JSON shows nothing of what its header repeats of the token", async () => {
  const page: Reaction = { status: 200, body: "<p>", headers: { "Content-Type": "text/rbs_t" } };
  expect(String((await follow(list, [page])).outcome)).toContain("3 characters of text/….");
});

test("other answers that are not the service's are not repeated", async () => {
  const { outcome, atMs } = await follow(list, [{ status: 404, body: "<html>" }, SESSIONS]);
  expect(outcome).toMatchObject({ name: "", status: 404 });
  expect(atMs).toStrictEqual([0]);
});

test("an attempt ends after `timeoutMs`; a list is repeated then, an Open is not", async () => {
  const again = await follow(list, ["silence", SESSIONS], { timeoutMs: 1000 });
  expect(again).toMatchObject({ outcome: "done", atMs: [0, 1250] });
  const never = await follow(open, ["silence", OPENED], { timeoutMs: 1000 });
  expect(never).toMatchObject({ atMs: [0], tookMs: 1000 });
  expect(never.outcome).toBeInstanceOf(TimeoutError);
  expect(String(never.outcome)).toContain("within 1000 ms (`timeoutMs`)");
});

test("an attempt ends in time even if its own `fetch` does not heed the signal", async () => {
  const fetch = async () => new Promise<Response>(() => undefined);
  const { outcome, tookMs } = await follow(list, [SESSIONS], { fetch, timeoutMs: 1000, retries: 0 });
  expect(outcome).toBeInstanceOf(TimeoutError);
  expect(tookMs).toBe(1000);
});

test("a query is bounded by the total time only", async () => {
  const { outcome, tookMs } = await follow(query, ["silence"], { timeoutMs: 1000, totalTimeoutMs: 20_000 });
  expect(outcome).toBeInstanceOf(TimeoutError);
  expect(String(outcome)).toContain("within 20000 ms (`totalTimeoutMs`)");
  expect(tookMs).toBe(20_000);
});

test("the total time bounds all attempts together", async () => {
  const { outcome, atMs, tookMs } = await follow(list, ["silence"], { timeoutMs: 1000, totalTimeoutMs: 1500 });
  expect(outcome).toBeInstanceOf(TimeoutError);
  expect({ atMs, tookMs }).toStrictEqual({ atMs: [0, 1250], tookMs: 1500 });
});

test("by default an attempt has 90 s, a call 300 s and two repeats", async () => {
  const { atMs, tookMs } = await follow(list, ["silence"]);
  expect({ atMs, tookMs }).toStrictEqual({ atMs: [0, 90_250, 180_750], tookMs: 270_750 });
  expect((await follow(query, ["silence"])).tookMs).toBe(300_000);
});

test.each([
  ["at once", 0, "silence"],
  ["in an attempt", 100, "silence"],
  ["in a wait", 1500, refusal("TooManyRequests", 9)],
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
  expect(vi.getTimerCount(), "timers that are left").toBe(0);
});

test("a signal that has aborted sends nothing", async () => {
  const { fetch, sent } = fakeFetch(SESSIONS);
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(new RemoteBrowserClient({ token: "rbs_t", fetch }).list({ signal })).rejects.toThrow("enough");
  expect(sent).toStrictEqual([]);
});
