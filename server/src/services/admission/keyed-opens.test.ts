import { describe, expect, test } from "vitest";
import { heldBy, newRig, NOTHING, OPTIONS, type Rig } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import type { BrowserHost } from "../../ports/browser-host.ts";
import type { OpenCall } from "../../ports/fleet.ts";
import { until } from "../../../test/support/until.ts";
import { TEST_BOX } from "../../../test/support/databases/stores.ts";
import { ABANDONED_MS } from "./awaiting-callers.ts";
import { KeyedOpens } from "./keyed-opens.ts";

const BASE = new URL("http://127.0.0.1:8080");
const DAY = 86_400_000;

type Ask = { readonly key?: string; readonly options?: Partial<OpenOptions>; readonly disconnected?: AbortSignal };

function open(rig: Rig, account: Account, { key = "k", ...ask }: Ask = {}) {
  return rig.fleet.openBrowser(toCall(account, ask), key);
}

function toCall(account: Account, { options, disconnected = new AbortController().signal }: Ask = {}): OpenCall {
  return { account, options: { ...OPTIONS, keepOpenMs: 0, ...options }, base: BASE, disconnected };
}

/** Returns a host whose browsers don't start until the test lets them. */
function newSlowHost() {
  const isLet = Promise.withResolvers<void>();
  return {
    let: () => isLet.resolve(),
    host: (fake: BrowserHost): BrowserHost => ({
      kinds: fake.kinds,
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
      async launch(spec, signal) {
        const { promise: aborted, reject } = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => reject(signal.reason));
        await Promise.race([isLet.promise, aborted]);
        return fake.launch(spec, signal);
      },
    }),
  };
}

describe("an Idempotency-Key", () => {
  test("opens one browser per account, and returns it to every request with the same options", async () => {
    await using rig = await newRig();
    const [account, other] = [await rig.account(), await rig.account()];
    const together = await Promise.all([open(rig, account), open(rig, account), open(rig, account)]);
    expect(new Set(together.map(({ id }) => id)).size).toBe(1);
    expect(await open(rig, account)).toEqual(together[0]);
    expect((await open(rig, other)).id).not.toBe(together[0]?.id);
    expect((await open(rig, account, { key: "K" })).id).not.toBe(together[0]?.id);
    expect(rig.localBrowsers.list(account)).toHaveLength(2);
    expect(await rig.unitsUsed(account)).toBe(2);
  });

  test("is refused with different options, including a different proxy password", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const credentials = { username: "a", password: "b" };
    const proxy = { scheme: "http", host: "proxy.example.com", port: 3128, credentials } as const;
    await open(rig, account, { options: { proxy } });
    for (const options of [{ label: "x" }, { proxy: { ...proxy, credentials: { ...credentials, password: "c" } } }]) {
      await expect(open(rig, account, { options })).rejects.toMatchObject({ failure: "IdempotencyKeyReused" });
    }
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
  });

  test("can be used again after a refused request", async () => {
    await using rig = await newRig();
    const account = await rig.account({ parallel: 1 });
    const first = await rig.open(account);
    await expect(open(rig, account)).rejects.toMatchObject({ failure: "BrowserLimit" });
    await first.close("requested");
    const { id } = await open(rig, account, { options: { label: "other options" } });
    expect(rig.localBrowsers.list(account).map((browser) => browser.id)).toEqual([id]);
  });

  test("still returns the browser for a day after it ends, even if no units are left", async () => {
    await using rig = await newRig();
    const account = await rig.account({ units: 1 });
    const opened = await open(rig, account);
    expect(await open(rig, account)).toEqual(opened);
    await rig.fleet.close(account, { id: opened.id });
    await rig.clock.pass(DAY);
    expect(await open(rig, account)).toEqual(opened);
    await rig.clock.pass(1);
    await expect(open(rig, account)).rejects.toMatchObject({ failure: "NoUnits" });
    expect(await heldBy(rig, account)).toEqual(NOTHING);
  });

  test("is refused if still in use after 30 seconds, while the first request continues", async () => {
    const slow = newSlowHost();
    await using rig = await newRig({ host: slow.host, gate: { maxWaitMs: 600_000 } });
    const account = await rig.account();
    const first = open(rig, account);
    const second = open(rig, account).catch((error: unknown) => error);
    await rig.clock.pass(30_000);
    // The first request has its own time limit.
    expect(await second).toMatchObject({ failure: "IdempotencyKeyInUse", retryAfterS: 5 });
    slow.let();
    await first.catch(() => {});
  });
});

describe("callers that disconnect", () => {
  test("a caller that disconnects before the browser is open receives the browser by retrying within 30 seconds", async () => {
    const slow = newSlowHost();
    await using rig = await newRig({ host: slow.host });
    const account = await rig.account();
    const caller = new AbortController();
    const first = open(rig, account, { disconnected: caller.signal });
    await rig.clock.pass(0);
    caller.abort(new Error("gone"));
    await rig.clock.pass(ABANDONED_MS - 1);
    const again = open(rig, account);
    slow.let();
    expect(await again).toEqual(await first);
    await rig.clock.pass(10 * ABANDONED_MS);
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
  });

  test("if a disconnected caller doesn't retry, the Open is canceled or the browser closed, and no unit is charged", async () => {
    const slow = newSlowHost();
    await using rig = await newRig({ host: slow.host });
    const account = await rig.account();
    for (const isOpenBefore of [false, true]) {
      const caller = new AbortController();
      if (isOpenBefore) slow.let();
      const opening = open(rig, account, { disconnected: caller.signal }).catch(() => {});
      if (isOpenBefore) await opening;
      await rig.clock.pass(0);
      caller.abort(new Error("gone"));
      await rig.clock.pass(ABANDONED_MS);
      await opening;
      await rig.localBrowsers.idle();
      expect(await heldBy(rig, account)).toEqual(NOTHING);
      expect(await rig.unitsUsed(account)).toBe(0);
      expect(await rig.store.usage.ended(account.id, undefined, 10)).toEqual([]);
    }
    expect((await open(rig, account, { options: { label: "The key is free." } })).id).toBeDefined();
  });

  test("a retry receives a browser opened by another process only if that process isn't discarding it", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const opened = await open(rig, account);
    const answers = [false, false, true];
    const asked: string[] = [];
    const claim = async ({ id }: { readonly id: string }): Promise<boolean> => {
      asked.push(id);
      return answers.shift() ?? true;
    };
    const { localBrowsers, store, clock } = rig;
    const elsewhere = new KeyedOpens({ opens: localBrowsers, store: store.browsers, box: TEST_BOX, clock, claim });
    const again = elsewhere.openOnce(toCall(account), "k");
    const passTime = async (): Promise<number> => {
      await clock.pass(500);
      return asked.length;
    };
    await until(passTime, (count) => count === 3);
    expect([await again, asked]).toEqual([opened, [opened.id, opened.id, opened.id]]);
    await rig.fleet.close(account, { id: opened.id });
    expect(await elsewhere.openOnce(toCall(account), "k")).toEqual(opened);
    expect(asked).toHaveLength(3);
  });

  test("a browser is kept after its caller disconnects if a client has connected to the browser", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const caller = new AbortController();
    const { id } = await open(rig, account, { disconnected: caller.signal });
    rig.localBrowsers.find(account, { id }).join({ end: () => {} })();
    caller.abort(new Error("gone"));
    await rig.clock.pass(10 * ABANDONED_MS);
    expect(rig.localBrowsers.list(account)).toHaveLength(1);
  });

  test("a caller that disconnects while waiting for another request doesn't affect that request", async () => {
    const slow = newSlowHost();
    await using rig = await newRig({ host: slow.host });
    const account = await rig.account();
    const first = open(rig, account);
    const caller = new AbortController();
    const second = open(rig, account, { disconnected: caller.signal });
    await rig.clock.pass(0);
    caller.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    slow.let();
    const { id } = await first;
    await rig.clock.pass(10 * ABANDONED_MS);
    expect(rig.localBrowsers.list(account).map((browser) => browser.id)).toEqual([id]);
  });
});
