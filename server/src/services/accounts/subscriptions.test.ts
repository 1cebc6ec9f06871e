import { expect, test } from "vitest";
import { newRig, type Rig, SMALL } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import { type Plan, SELF_HOSTED } from "../../domain/plan/plan.ts";
import { AccountError } from "./errors.ts";
import { Subscriptions } from "./subscriptions.ts";

const STARTER: Plan = { name: "starter", parallel: 1, unitsPerMonth: 2, maxLifetimeMs: undefined, isSelfService: true };
const TEAM: Plan = { ...STARTER, name: "team", parallel: 9 };
const PLANS = new Map([SELF_HOSTED, SMALL, STARTER, TEAM].map((plan) => [plan.name, plan]));

function newSubscriptions({ store, clock, events, log }: Rig): Subscriptions {
  return new Subscriptions({ store: store.accounts, usage: store.usage, plans: PLANS, clock, events, log });
}

async function reread({ store }: Rig, { id }: Account): Promise<Account> {
  const account = await store.accounts.find(id);
  if (account === undefined) throw new Error("The account was deleted.");
  return account;
}

/** Creates an account with one of the plans above, which the rig's `Accounts` doesn't know. */
async function accountWith(
  rig: Rig,
  plan: string | null,
  limits: { parallel?: number; units?: number } = {},
): Promise<Account> {
  const account = await rig.account();
  await rig.store.accounts.change(account.id, { plan, ...limits });
  return reread(rig, account);
}

test("only self-service plans are offered", async () => {
  await using rig = await newRig();
  const { offered } = await newSubscriptions(rig).read(await accountWith(rig, null));
  expect(offered).toEqual([STARTER, TEAM]);
});

test("a user can choose a plan, change it, and remove it", async () => {
  await using rig = await newRig();
  const subscriptions = newSubscriptions(rig);
  let account = await accountWith(rig, null);
  for (const plan of ["starter", "team", undefined, "starter"]) {
    await subscriptions.choose(account, plan);
    account = await reread(rig, account);
    expect(account.plan).toBe(plan);
  }
});

test.each(["self-hosted", "small", "unknown", "__proto__", "STARTER"])(
  "users can't choose the plan %j",
  async (plan) => {
    await using rig = await newRig();
    const account = await accountWith(rig, "starter");
    await expect(newSubscriptions(rig).choose(account, plan)).rejects.toThrow(AccountError);
    expect((await reread(rig, account)).plan).toBe("starter");
  },
);

test.each([
  ["an assigned plan", "small", {}],
  ["an account-specific parallel limit", "starter", { parallel: 1 }],
  ["account-specific units", "starter", { units: 0 }],
  ["account-specific limits without a plan", null, { units: 5 }],
])("users can't change the operator's settings: %s", async (_, plan, limits) => {
  await using rig = await newRig();
  const subscriptions = newSubscriptions(rig);
  const account = await accountWith(rig, plan, limits);
  expect((await subscriptions.read(account)).isOperatorManaged).toBe(true);
  for (const wanted of ["team", "starter", undefined])
    await expect(subscriptions.choose(account, wanted)).rejects.toThrow(/Ask your operator/);
  expect(await reread(rig, account)).toEqual(account);
});

test("a plan that no longer exists counts as no plan, and the user can choose another plan", async () => {
  await using rig = await newRig();
  const subscriptions = newSubscriptions(rig);
  const account = await accountWith(rig, "given-up");
  expect(await subscriptions.read(account)).toMatchObject({ plan: undefined, isOperatorManaged: false });
  await subscriptions.choose(account, "starter");
  expect((await reread(rig, account)).plan).toBe("starter");
});

test("units beyond the plan's units count as additional", async () => {
  await using rig = await newRig();
  const subscriptions = newSubscriptions(rig);
  const account = await rig.account();
  for (const _ of [1, 2, 3]) await (await rig.open(account)).close("requested");
  await rig.store.accounts.change(account.id, { plan: "starter" });
  const read = async (): Promise<object> => subscriptions.read(await reread(rig, account));
  expect(await read()).toMatchObject({ period: "2026-11", unitsUsed: 3, additionalUnits: 1 });
  await rig.store.accounts.change(account.id, { units: 1 });
  expect(await read()).toMatchObject({ additionalUnits: 2 });
  await rig.store.accounts.change(account.id, { plan: "self-hosted", units: null });
  expect(await read()).toMatchObject({ additionalUnits: 0 });
  await rig.clock.pass(10 * 86_400_000);
  expect(await read()).toMatchObject({ period: "2026-12", unitsUsed: 0, additionalUnits: 0 });
});

test("a change emits an event for the account's pages, but a refused change doesn't", async () => {
  await using rig = await newRig();
  const subscriptions = newSubscriptions(rig);
  const account = await accountWith(rig, null);
  let emitted = 0;
  rig.events.subscribe(account.id, () => (emitted += 1));
  await subscriptions.choose(account, "starter");
  expect(emitted).toBe(1);
  await subscriptions.setAdditionalUnits(account, true);
  expect(emitted).toBe(2);
  await expect(subscriptions.choose(account, "small")).rejects.toThrow(AccountError);
  expect(emitted).toBe(2);
});
