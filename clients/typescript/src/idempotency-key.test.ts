import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  ACCOUNT,
  OPENED,
  OPENED_WITH_ID,
  type Reaction,
  connectionLost,
  connectionRefused,
  fakeFetch,
  refusal,
} from "../test/support/fake-fetch.ts";
import { RemoteBrowserClient } from "./client.ts";
import { ApiError, ConnectionError, IdempotencyKeyReusedError, RemoteBrowserError, TimeoutError } from "./index.ts";

const [OPEN, GET_ACCOUNT] = ["/api/v1/Browser/Open", "/api/v1/Account/Get"];
const KEY = /^[0-9a-f]{32}$/;
const lost = connectionLost();
const gateway: Reaction = { status: 504, body: "<html>Too late</html>" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function clientOf(...reactions: [Reaction, ...Reaction[]]) {
  const { fetch, sent } = fakeFetch(...reactions);
  const client = new RemoteBrowserClient({ token: "rbs_t", fetch, timeoutMs: 1000 });
  return {
    client,
    paths: () => sent.map(({ url }) => new URL(url).pathname),
    keys: () => sent.map(({ headers }) => headers.get("idempotency-key")),
  };
}

/** Waits for a call with the fake clock, and returns its outcome. */
async function settle(call: Promise<unknown>): Promise<unknown> {
  const outcome = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return outcome;
}

test("each Open request has its own key, and other requests have no key", async () => {
  const { client, keys } = clientOf(OPENED, OPENED, ACCOUNT);
  await client.open();
  await client.open();
  await client.account();
  const [first, second, other] = keys();
  expect(first).toMatch(KEY);
  expect(second).toMatch(KEY);
  expect(first).not.toBe(second);
  expect(other).toBeNull();
});

describe.each([
  ["a lost connection", lost, ConnectionError],
  ["an attempt that timed out", "silence", TimeoutError],
  ["a gateway's response", gateway, ApiError],
] as const)("after %s", (_what, reaction, kind) => {
  test("an Open request is repeated with the same key if the service turns out to have version 1.1", async () => {
    const { client, paths, keys } = clientOf(reaction, ACCOUNT, OPENED_WITH_ID);
    expect(await settle(client.open())).toMatchObject({ address: "ws://h/devtools/browser/abc" });
    expect(paths()).toStrictEqual([OPEN, GET_ACCOUNT, OPEN]);
    const [first, ofAccount, second] = keys();
    expect(second).toBe(first);
    expect(ofAccount).toBeNull();
  });

  test.each([
    ["version 1.0", refusal("NotFound")],
    ["an error that version 1.0 may also return", refusal("AuthorizationError")],
    ["a page", { status: 200, body: "<html>" } as const],
    ["nothing", lost],
  ])("an Open request is not repeated if the version check returns %s", async (_proof, proof) => {
    const { client, paths } = clientOf(reaction, proof);
    const outcome = await settle(client.open());
    expect(outcome).toBeInstanceOf(kind);
    expect(outcome).toBeInstanceOf(RemoteBrowserError);
    expect(paths().filter((path) => path === OPEN)).toHaveLength(1);
  });
});

test("once the client knows that a service has version 1.1, it doesn't check again", async () => {
  const { client, paths } = clientOf(lost, ACCOUNT, OPENED, lost, OPENED);
  await settle(client.open());
  await settle(client.open());
  expect(paths()).toStrictEqual([OPEN, GET_ACCOUNT, OPEN, OPEN, OPEN]);
});

test("a browser's id in a response makes the version check unnecessary", async () => {
  const { client, paths } = clientOf(OPENED_WITH_ID, lost, OPENED_WITH_ID);
  await client.open();
  await settle(client.open());
  expect(paths()).toStrictEqual([OPEN, OPEN, OPEN]);
});

test("an Open request that was not sent is retried without a version check", async () => {
  const { client, paths } = clientOf(connectionRefused(), OPENED);
  await settle(client.open());
  expect(paths()).toStrictEqual([OPEN, OPEN]);
});

test("a request whose key is in use is retried after Retry-After, but a key reused with other options is not retried", async () => {
  const { client, keys } = clientOf(refusal("IdempotencyKeyInUse", 5), refusal("IdempotencyKeyReused", 5));
  const outcome = await settle(client.open({}, { idempotencyKey: "mine" }));
  expect(outcome).toBeInstanceOf(IdempotencyKeyReusedError);
  expect(keys()).toStrictEqual(["mine", "mine"]);
});

test.each([
  ["a line break", "a\nb"],
  ["a space", "a b"],
  ["another alphabet", "ключ"],
  ["a number", 7],
])("a key with %s is rejected before any request is sent", async (_what, key) => {
  const { client, paths } = clientOf(OPENED);
  await expect(client.open({}, { idempotencyKey: key as string })).rejects.toThrow(/`idempotencyKey` must be/);
  expect(paths()).toStrictEqual([]);
});

test("aborting during the version check rejects with the signal's reason", async () => {
  const { client, paths } = clientOf(lost, "silence");
  const abort = new AbortController();
  const outcome = client.open({}, { signal: abort.signal }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(600);
  abort.abort(new Error("enough"));
  expect(await outcome).toMatchObject({ message: "enough" });
  expect(paths()).toStrictEqual([OPEN, GET_ACCOUNT]);
});

test("in a web page, the first Open request has no key, because version 1.0 doesn't allow the header", async () => {
  vi.stubGlobal("process", undefined);
  const { client, keys } = clientOf(OPENED_WITH_ID, OPENED_WITH_ID);
  await client.open();
  await client.open();
  expect(keys()).toStrictEqual([null, expect.stringMatching(KEY)]);
  const first = clientOf(lost);
  expect(await settle(first.client.open())).toBeInstanceOf(ConnectionError);
  expect(first.paths()).toStrictEqual([OPEN]);
});
