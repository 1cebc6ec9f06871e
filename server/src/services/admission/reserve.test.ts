import { expect, test } from "vitest";
import { StoreUnavailable } from "../../ports/store/store.ts";
import { heldBy, newRig, NOTHING } from "../../../test/support/servers/services-rig.ts";
import { until } from "../../../test/support/until.ts";
import { STORE_WAIT_MS } from "../store/store-wait.ts";

test("a reservation whose cancellation fails is canceled later, without delaying its Open", async () => {
  const broken = new Error("The browser does not start.");
  await using rig = await newRig({
    host: (fake) => ({
      kinds: fake.kinds,
      launch: () => Promise.reject(broken),
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  const account = await rig.account();
  const { cancel } = rig.store.browsers;
  rig.store.browsers.cancel = () => Promise.reject(new Error("The disk is full."));
  await expect(rig.open(account)).rejects.toBe(broken);
  expect(rig.log.lines.at(-1)?.event).toBe("browser.cancel_failed");
  rig.store.browsers.cancel = cancel;
  expect(await heldBy(rig, account)).toEqual({ ...NOTHING, rows: 1 });
  await rig.clock.pass(5000);
  expect(await heldBy(rig, account)).toEqual(NOTHING);
});

test("browsers whose end couldn't be recorded stop counting once the store works again", async () => {
  await using rig = await newRig();
  const account = await rig.account({ parallel: 1 });
  const { close } = rig.store.browsers;
  const first = await rig.open(account);
  rig.store.browsers.close = () => Promise.reject(new StoreUnavailable("disk full"));
  await first.close("requested");
  await expect(rig.open(account)).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  const other = await rig.account({ parallel: 0 });
  await expect(rig.open(other)).rejects.toMatchObject({ failure: "BrowserLimit" });
  rig.store.browsers.close = close;
  const second = await rig.open(account);
  expect(await rig.unitsUsed(account)).toBe(2);
  await second.close("requested");
  expect(await heldBy(rig, account)).toEqual(NOTHING);
});

/** The store calls that an Open makes, as pairs of a name for test titles and a method. */
const STEPS = [
  ["reservation", "reserve"],
  ["commit", "commitOpen"],
] as const;

test.each(STEPS)(
  "an Open request is refused with Retry-After if the store is unavailable for its %s",
  async (_, step) => {
    await using rig = await newRig();
    const account = await rig.account();
    const works = rig.store.browsers[step];
    rig.store.browsers[step] = (): Promise<never> => Promise.reject(new StoreUnavailable("disk full"));
    await expect(rig.open(account)).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
    rig.store.browsers[step] = works as never;
    expect(await heldBy(rig, account)).toEqual(NOTHING);
  },
);

test("limits are read again if they have changed since the request began", async () => {
  await using rig = await newRig();
  const account = await rig.account({ parallel: 1 });
  await rig.open(account);
  await rig.store.accounts.change(account.id, { parallel: 2 });
  const second = await rig.open(account);
  await rig.store.accounts.change(account.id, { parallel: 1 });
  await expect(rig.open({ ...account, parallel: 5 })).rejects.toMatchObject({ failure: "BrowserLimit" });
  await second.close("requested");
  await rig.store.accounts.erase(account.id, rig.clock.now());
  await expect(rig.open(account)).rejects.toMatchObject({ failure: "AuthorizationError" });
});

test.each(STEPS)("a %s is rolled back and its unit refunded if its response is lost", async (_, step) => {
  await using rig = await newRig();
  const account = await rig.account();
  const works = rig.store.browsers[step] as (...given: unknown[]) => Promise<unknown>;
  rig.store.browsers[step] = async (...given: unknown[]): Promise<never> => {
    await works(...given);
    throw new StoreUnavailable("The connection was lost.", { isOutcomeUnknown: true });
  };
  await expect(rig.open(account)).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
  rig.store.browsers[step] = works as never;
  await rig.clock.pass(0);
  expect(await heldBy(rig, account)).toEqual(NOTHING);
  expect(await rig.unitsUsed(account)).toBe(0);
});

test.each(STEPS)(
  "if the store doesn't respond to a %s, the Open fails, and executing the call later has no effect",
  async (_, step) => {
    await using rig = await newRig();
    const account = await rig.account();
    const works = rig.store.browsers[step] as (...given: unknown[]) => Promise<unknown>;
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
    const executed: Promise<unknown>[] = [];
    rig.store.browsers[step] = (...given: unknown[]): Promise<never> => {
      executed.push(thawed.then(() => works(...given)));
      return executed[0] as Promise<never>;
    };
    const opening = rig.open(account).catch((error: unknown) => error);
    await until(
      () => executed.length,
      (calls) => calls > 0,
    );
    await rig.clock.pass(STORE_WAIT_MS);
    expect(await opening).toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
    thaw();
    await Promise.allSettled(executed);
    await rig.clock.pass(0);
    expect(executed).toHaveLength(1);
    expect(await heldBy(rig, account)).toEqual(NOTHING);
    expect(await rig.unitsUsed(account)).toBe(0);
    rig.store.browsers[step] = works as never;
    await rig.open(account);
  },
);

test("a browser's failure to start is reported even if its reservation can't be canceled in time", async () => {
  const broken = new Error("The browser does not start.");
  await using rig = await newRig({
    host: (fake) => ({
      kinds: fake.kinds,
      launch: () => Promise.reject(broken),
      [Symbol.asyncDispose]: async () => {},
    }),
  });
  const { promise: cancelling, resolve: begin } = Promise.withResolvers<void>();
  rig.store.browsers.cancel = () => {
    begin();
    return new Promise(() => {});
  };
  const opening = rig.open(await rig.account()).catch((error: unknown) => error);
  await cancelling;
  await rig.clock.pass(STORE_WAIT_MS);
  expect(await opening).toBe(broken);
});

test("an Open is refused with Retry-After if its account changes during every attempt", async () => {
  await using rig = await newRig();
  const account = await rig.account({ parallel: 1 });
  const { reserve } = rig.store.browsers;
  rig.store.browsers.reserve = async (...given) => {
    await rig.store.accounts.outdate(account.id);
    return reserve(...given);
  };
  await expect(rig.open(account)).rejects.toMatchObject({ failure: "BrowserUnavailable", retryAfterS: 5 });
});
