import { expect, test } from "vitest";
import { BASE, newRig, OPTIONS } from "../../../test/support/servers/services-rig.ts";
import { Failure } from "../../domain/failure.ts";
import { KeyTaken } from "../../ports/store/store.ts";

test("an Open request, its browser's units and the browser's end are each counted once", async () => {
  await using rig = await newRig();
  const account = await rig.account();
  const browser = await rig.open(account, { keepOpenMs: 0 });
  await rig.clock.pass(130_000);
  await browser.close("requested");
  await browser.close("inactive");
  const units = rig.metrics.of("unitsCharged").reduce((sum, [charged]) => sum + Number(charged), 0);
  expect(units).toBe(await rig.unitsUsed(account));
  expect(units).toBe(3);
  expect(rig.metrics.of("openAnswered")).toEqual([["ok"]]);
  expect(rig.metrics.of("browserOpened")).toEqual([["chromium", false, expect.any(Number)]]);
  expect(rig.metrics.of("browserEnded")).toEqual([["chromium", "requested", { sent: 0, received: 0 }]]);
});

test("an Open request whose Idempotency-Key belongs to another browser isn't counted", async () => {
  await using rig = await newRig();
  const account = await rig.account();
  const call = { account, options: OPTIONS, base: BASE, disconnected: new AbortController().signal };
  const idempotency = { key: "hash of a key", options: "hash of options" };
  const open = (): Promise<unknown> => rig.localBrowsers.openNew(call, idempotency);
  await open();
  await expect(open()).rejects.toThrow(KeyTaken);
  expect(rig.metrics.of("openAnswered")).toEqual([["ok"]]);
});

test("a failed Open request is counted under its failure's name, or as abandoned if its caller disconnected", async () => {
  let failure = new Error("a bug");
  await using rig = await newRig({
    host: (fake) => ({
      kinds: fake.kinds,
      launch: () => Promise.reject(failure),
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  const account = await rig.account();
  const unsubscribed = await rig.account({ plan: undefined });
  await expect(rig.open(account)).rejects.toThrow();
  failure = new Failure("BrowserUnavailable", "The browser does not start.");
  await expect(rig.open(account)).rejects.toThrow();
  await expect(rig.open(unsubscribed)).rejects.toThrow();
  await expect(rig.open(account, {}, AbortSignal.abort(new Error("gone")))).rejects.toThrow();
  expect(rig.metrics.calls).toEqual([
    ["openAnswered", "Unknown"],
    ["openAnswered", "BrowserUnavailable"],
    ["openAnswered", "NoSubscription"],
    ["openAnswered", "abandoned"],
  ]);
});
