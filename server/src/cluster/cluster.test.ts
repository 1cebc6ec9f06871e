import { request } from "node:http";
import { expect, test } from "vitest";
import { SECRET, startWorker } from "../../test/support/servers/called-worker.ts";
import { until } from "../../test/support/until.ts";
import type { Account } from "../domain/account/account.ts";
import { readOpenOptions } from "../domain/browser/open-options.ts";
import { Failure } from "../domain/failure.ts";
import type { RecentBrowser } from "../ports/fleet.ts";
import {
  CALL_PATH,
  type CallArguments,
  type CallResult,
  type WorkerCallName,
} from "../ports/cluster/worker-call-rules.ts";

const OWNER = { id: "ac_1" };
const ACCOUNT: Account = {
  id: "ac_1",
  email: "anna@example.com",
  plan: "starter",
  parallel: undefined,
  units: 5,
  hasAdditionalUnits: false,
  isDisabled: false,
  isOperator: true,
  createdAt: new Date("2026-01-02T03:04:05.678Z"),
  version: 7,
};
const BY_ID = { id: "br_1" };
const BY_ADDRESS = { address: "ws://127.0.0.1/devtools/browser/x" };
const RECENT: RecentBrowser = {
  id: "br_1",
  accountId: "ac_1",
  address: BY_ADDRESS.address,
  openedAt: new Date(1),
  kind: "chromium",
  isHeadless: true,
  label: undefined,
  tags: ["a"],
  proxyHost: undefined,
  hasScreen: false,
  desktopPassword: undefined,
  clients: 2,
  due: { at: new Date(2), reason: "inactive" },
  keepOpenMs: 30_000,
  lifetimeMs: undefined,
  units: 3,
  traffic: { sent: 1, received: 2 },
  end: { at: new Date(3), reason: "lifetime" },
};
const OPTIONS = readOpenOptions({
  Proxy: { Host: "socks5://a.example", Port: "1080", Username: "u" },
  Tags: ["t"],
  // The longest possible duration.
  KeepOpen: Number.MAX_VALUE,
  Lifetime: Infinity,
});

const CALLS: { readonly [Name in WorkerCallName]: readonly [CallArguments<Name>, CallResult<Name>] } = {
  openPlaced: [
    [
      {
        browserId: "br_1",
        attempt: 2,
        account: ACCOUNT,
        options: { ...OPTIONS, memoryBytes: 2 ** 30, hasWebGl: false, page: { width: 10, height: 20 }, label: "l" },
        base: new URL("https://browsers.example/eu"),
        maxMs: 30_000,
      },
    ],
    { is: "opened", address: BY_ADDRESS.address },
  ],
  acknowledge: [["br_1"], undefined],
  wait: [[OWNER, BY_ADDRESS, 5000], RECENT],
  close: [[OWNER, BY_ID], undefined],
  closeMatching: [[OWNER, { all: true }], 3],
  change: [[ACCOUNT, BY_ID, { lifetimeMs: 0, label: "l", tags: [] }], RECENT],
  closeAllOf: [["ac_1", "disabled"], undefined],
  startDesktop: [
    [OWNER, BY_ID, new URL("http://127.0.0.1:8080")],
    { passwords: { full: "12345678", viewOnly: "87654321" }, url: "http://a/#1", rfbUrl: "ws://a/rfb" },
  ],
  stopDesktop: [[OWNER, BY_ID], undefined],
  ping: [[], undefined],
  hasDesktop: [["key"], true],
  takePicture: [[OWNER, BY_ID], { type: "image/jpeg", bytes: new Uint8Array([1, 2, 3]), takenAt: new Date(4) }],
  takeScreenshot: [[OWNER, BY_ID], { type: "image/png", bytes: new Uint8Array([255, 0]) }],
};
const WITH_SIGNAL = new Set(["openPlaced", "wait", "takePicture", "takeScreenshot"]);

test.each(Object.entries(CALLS))(
  "%s passes its arguments to the worker, and returns the result",
  async (name, [sent, result]) => {
    const got: unknown[] = [];
    const { worker } = await startWorker({
      [name]: async (...given: unknown[]) => {
        got.push(...given);
        return result;
      },
    });
    const { signal } = new AbortController();
    const call = worker[name as WorkerCallName] as (...given: unknown[]) => Promise<unknown>;
    expect(await call(...sent, ...(WITH_SIGNAL.has(name) ? [signal] : []))).toEqual(result);
    expect(got.slice(0, sent.length)).toEqual(sent);
    expect(got.slice(sent.length).map((last) => last instanceof AbortSignal)).toEqual(
      WITH_SIGNAL.has(name) ? [true] : [],
    );
  },
);

test("calls run as methods of the worker's object", async () => {
  class Calls {
    readonly #key = "k";
    async hasDesktop(key: string): Promise<boolean> {
      return key === this.#key;
    }
  }
  const { worker } = await startWorker(new Calls());
  expect(await worker.hasDesktop("k")).toBe(true);
});

test("a missing picture is returned as undefined", async () => {
  const { worker } = await startWorker({ takePicture: async () => undefined });
  expect(await worker.takePicture(OWNER, BY_ID, new AbortController().signal)).toBeUndefined();
});

test("a 10 MB picture arrives unchanged", async () => {
  const bytes = Uint8Array.from({ length: 10 * 2 ** 20 }, (_, index) => (index * 31) % 251);
  const { worker } = await startWorker({ takeScreenshot: async () => ({ type: "image/png", bytes }) });
  const arrived = await worker.takeScreenshot(OWNER, BY_ID, new AbortController().signal);
  expect(Buffer.compare(arrived.bytes, bytes)).toBe(0);
});

test("a failure is recreated for the caller, and its cause appears only in the worker's log", async () => {
  const details = { retryAfterS: 1.5, errors: [{ path: "/x", message: "is wrong" }] };
  const { worker, log } = await startWorker({
    close: async () => {
      throw new Failure("BrowserUnavailable", "Try again.", { ...details, cause: new Error("the disk") });
    },
    stopDesktop: async () => {
      throw new Failure("BrowserNotFound", "Unknown.", { cause: new Error("what the user sent") });
    },
  });
  const failure = await worker.close(OWNER, BY_ID).catch((error: unknown) => error);
  expect(failure).toStrictEqual(new Failure("BrowserUnavailable", "Try again.", details));
  expect((failure as Failure).cause).toBeUndefined();
  await expect(worker.stopDesktop(OWNER, BY_ID)).rejects.toEqual(new Failure("BrowserNotFound", "Unknown."));
  expect(log.lines).toEqual([
    { event: "call.failed", facts: expect.objectContaining({ call: "close", error: new Error("the disk") }) },
    { event: "call.refused", facts: { requestId: "of-the-worker", call: "stopDesktop", name: "BrowserNotFound" } },
  ]);
});

test("a worker logs an unexpected error, and the caller can't tell the call's outcome", async () => {
  const { worker, log } = await startWorker({
    close: async () => {
      throw new RangeError("a mistake");
    },
  });
  await expect(worker.close(OWNER, BY_ID)).rejects.toMatchObject({ name: "WorkerUnreachable", isOutcomeUnknown: true });
  expect(log.lines).toMatchObject([{ event: "request.failed", facts: { error: new RangeError("a mistake") } }]);
});

test("an aborted signal ends the call with the signal's reason for both the caller and the worker", async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const { worker, log } = await startWorker({
    wait: (_owner, _selector, _maxMs, signal) => {
      begun.resolve(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const [caller, reason] = [new AbortController(), new Error("The user has left.")];
  const waiting = worker.wait(OWNER, BY_ID, 60_000, caller.signal).catch((error: unknown) => error);
  const signal = await begun.promise;
  expect(signal.aborted).toBe(false);
  caller.abort(reason);
  expect(await waiting).toBe(reason);
  await until(
    () => signal.aborted,
    (isAborted) => isAborted,
  );
  await until(
    () => log.lines.map(({ event }) => event),
    (events) => events.includes("request.abandoned"),
  );
  await expect(worker.wait(OWNER, BY_ID, 1, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("losing the front-end aborts the worker's call", async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const { url } = await startWorker({
    takeScreenshot: (_owner, _selector, signal) => {
      begun.resolve(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const headers = { Authorization: `Bearer ${SECRET}` };
  const sent = request(`${url}${CALL_PATH}takeScreenshot`, { method: "POST", headers, agent: false });
  sent.on("error", () => {}).end(JSON.stringify([OWNER, BY_ID]));
  const signal = await begun.promise;
  expect(signal.aborted).toBe(false);
  sent.destroy();
  await until(
    () => signal.aborted,
    (isAborted) => isAborted,
  );
});
