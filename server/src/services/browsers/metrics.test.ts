import { expect, test } from "vitest";
import { newRig } from "../../../test/support/new-browsers.ts";
import { Failure } from "../../domain/failure.ts";

test("an Open, its units and its end are taken down, each once", async () => {
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

test("an Open that fails is taken down by its name, and one whose caller left as abandoned", async () => {
  let failure = new Error("a bug");
  await using rig = await newRig({
    host: (fake) => ({
      kinds: fake.kinds,
      open: () => Promise.reject(failure),
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  const account = await rig.account();
  const stranger = await rig.account({ plan: undefined });
  await expect(rig.open(account)).rejects.toThrow();
  failure = new Failure("BrowserUnavailable", "It does not start.");
  await expect(rig.open(account)).rejects.toThrow();
  await expect(rig.open(stranger)).rejects.toThrow();
  await expect(rig.open(account, {}, AbortSignal.abort(new Error("gone")))).rejects.toThrow();
  expect(rig.metrics.taken).toEqual([
    ["openAnswered", "Unknown"],
    ["openAnswered", "BrowserUnavailable"],
    ["openAnswered", "NoSubscription"],
    ["openAnswered", "abandoned"],
  ]);
});

test("minutes that the books refuse are not taken down before they are in", async () => {
  await using rig = await newRig();
  const account = await rig.account();
  await rig.open(account, { keepOpenMs: 0 });
  const { charge } = rig.store.browsers;
  rig.store.browsers.charge = () => Promise.reject(new Error("The disk is full."));
  await rig.clock.pass(60_000);
  expect(rig.metrics.of("unitsCharged")).toEqual([[1]]);
  rig.store.browsers.charge = charge;
  await rig.clock.pass(60_000);
  expect(rig.metrics.of("unitsCharged")).toEqual([[1], [1], [1]]);
});

test("a minute that is being charged when its browser ends is taken down once", async () => {
  await using rig = await newRig();
  const account = await rig.account();
  const browser = await rig.open(account, { keepOpenMs: 0 });
  const { charge } = rig.store.browsers;
  let closed: Promise<void> | undefined;
  rig.store.browsers.charge = async (wanted) => {
    closed = browser.close("requested");
    return charge(wanted);
  };
  await rig.clock.pass(60_000);
  await closed;
  const units = rig.metrics.of("unitsCharged").reduce((sum, [charged]) => sum + Number(charged), 0);
  expect([units, await rig.unitsUsed(account)]).toEqual([2, 2]);
});
