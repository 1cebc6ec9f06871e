import { describe, expect, test } from "vitest";
import { heldBy, newRig, NOTHING, type Rig } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import { Failure } from "../../domain/failure.ts";
import type { BrowserHost } from "../../ports/browser-host.ts";

/** Opens browsers concurrently and counts the responses by name. */
async function openAtOnce(rig: Rig, account: Account, count: number): Promise<Record<string, number>> {
  const results = await Promise.allSettled(Array.from({ length: count }, () => rig.open(account)));
  const names = results.map((result) =>
    result.status === "fulfilled"
      ? "opened"
      : result.reason instanceof Failure
        ? result.reason.failure
        : String(result.reason),
  );
  return Object.fromEntries(
    Map.groupBy(names, (name) => name)
      .entries()
      .map(([name, all]) => [name, all.length]),
  );
}

async function nameOf(refused: Promise<unknown>): Promise<string> {
  try {
    await refused;
    return "no failure";
  } catch (error) {
    return error instanceof Failure ? error.failure : String(error);
  }
}

describe("limits", () => {
  test("of 20 concurrent Open requests with a limit of 3, exactly 3 succeed, before and after the browsers are closed", async () => {
    await using rig = await newRig();
    const account = await rig.account({ units: 1000 });
    expect(await openAtOnce(rig, account, 20)).toEqual({ opened: 3, BrowserLimit: 17 });
    await Promise.all(rig.localBrowsers.list(account).map((browser) => browser.close("requested")));
    expect(await heldBy(rig, account)).toEqual(NOTHING);
    expect(await openAtOnce(rig, account, 20)).toEqual({ opened: 3, BrowserLimit: 17 });
  });

  test("of 20 concurrent Open requests with 2 units left, exactly 2 succeed", async () => {
    await using rig = await newRig();
    const account = await rig.account({ units: 2, parallel: 30 });
    expect(await openAtOnce(rig, account, 20)).toEqual({ opened: 2, NoUnits: 18 });
    expect(await rig.unitsUsed(account)).toBe(2);
  });

  test("an account without a plan can't open browsers", async () => {
    await using rig = await newRig();
    expect(await nameOf(rig.open(await rig.account({ plan: undefined })))).toBe("NoSubscription");
  });

  test("Open returns Retry-After if other accounts use all slots, and BrowserLimit if the account is full", async () => {
    await using rig = await newRig({ capacity: 2 });
    const [first, second] = [await rig.account({ plan: "self-hosted" }), await rig.account({ plan: "self-hosted" })];
    await rig.open(first);
    await rig.open(first);
    expect(await nameOf(rig.open(first))).toBe("BrowserLimit");
    await expect(rig.open(second)).rejects.toMatchObject({
      failure: "BrowserUnavailable",
      retryAfterS: expect.any(Number),
    });
    expect((await heldBy(rig, second)).rows).toBe(0);
  });
});

describe("an Open request that fails", () => {
  const cause = new Failure("BrowserUnavailable", "The browser does not start.");
  const broken = (fake: BrowserHost): BrowserHost => ({
    kinds: fake.kinds,
    launch: () => Promise.reject(cause),
    [Symbol.asyncDispose]: async () => {},
  });

  test("releases all resources and isn't charged", async () => {
    await using rig = await newRig({ host: broken });
    const account = await rig.account();
    await expect(rig.open(account)).rejects.toBe(cause);
    expect(await heldBy(rig, account)).toEqual(NOTHING);
    expect(await rig.unitsUsed(account)).toBe(0);
  });

  test("ends the browser if it starts after the caller has disconnected", async () => {
    const caller = new AbortController();
    await using rig = await newRig({
      host: (fake) => ({
        kinds: fake.kinds,
        async launch(spec, signal) {
          const browser = await fake.launch(spec, signal);
          caller.abort();
          return browser;
        },
        [Symbol.asyncDispose]: async () => {},
      }),
    });
    const account = await rig.account();
    await expect(rig.open(account, {}, caller.signal)).rejects.toThrow();
    expect(await heldBy(rig, account)).toEqual(NOTHING);
    expect(await rig.unitsUsed(account)).toBe(0);
  });
});

describe("an address", () => {
  test("finds only the account's own browser", async () => {
    await using rig = await newRig();
    const [owner, other] = [await rig.account(), await rig.account()];
    const { address, id } = await rig.open(owner);
    expect(rig.localBrowsers.find(owner, { address: address.replace("ws://127.0.0.1:8080", "localhost") }).id).toBe(id);
    expect(() => rig.localBrowsers.find(other, { address })).toThrow(
      expect.objectContaining({ failure: "BrowserNotFound" }),
    );
    expect(rig.localBrowsers.list(other)).toEqual([]);
  });

  test("of a closed browser returns the same error as an unknown address", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    const browser = await rig.open(account);
    await browser.close("requested");
    expect(() => rig.localBrowsers.find(account, { address: browser.address })).toThrow(
      expect.objectContaining({ failure: "BrowserNotFound" }),
    );
    expect(rig.localBrowsers.list(account)).toEqual([]);
  });
});

test.each([
  ["back", -600_000],
  ["forward", 600_000],
])("setting the machine's clock %s doesn't change a browser's deadline or price", async (_, byMs) => {
  await using rig = await newRig();
  const account = await rig.account();
  await rig.open(account, { keepOpenMs: 90_000 });
  rig.clock.set(byMs);
  await rig.clock.pass(89_000);
  expect(rig.localBrowsers.list(account)).toHaveLength(1);
  await rig.clock.pass(2_000);
  expect(await heldBy(rig, account)).toEqual(NOTHING);
  expect(await rig.unitsUsed(account)).toBe(2);
});

describe("a shutdown", () => {
  test("refuses Open requests, ends every browser and releases all resources", async () => {
    await using rig = await newRig();
    const account = await rig.account();
    await rig.open(account);
    await rig.open(account);
    await rig.localBrowsers.closeAll("shutdown");
    expect(await heldBy(rig, account)).toEqual(NOTHING);
    expect(await nameOf(rig.open(account))).toBe("BrowserUnavailable");
  });

  test("ends a browser that is being opened", async () => {
    await using rig = await newRig({
      host: (fake) => ({
        kinds: fake.kinds,
        launch: (_spec, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        [Symbol.asyncDispose]: async () => {},
      }),
    });
    const account = await rig.account();
    const opening = nameOf(rig.open(account));
    await new Promise(setImmediate);
    await rig.localBrowsers.closeAll("shutdown");
    expect(await opening).toBe("BrowserUnavailable");
    expect(await heldBy(rig, account)).toEqual(NOTHING);
  });
});
