import { expect, test, vi } from "vitest";
import { heldBy, newRig, NOTHING, type Rig } from "../../../test/support/new-browsers.ts";
import type { Account } from "../../domain/account/account.ts";
import { AccountError } from "./account-error.ts";
import { AccountRemoval } from "./account-removal.ts";

function newRemoval({ store, browsers, clock }: Rig): AccountRemoval {
  return new AccountRemoval({ store: store.accounts, browsers, clock });
}

test("an account is erased, its browsers end, and nothing of it is held or told", async () => {
  await using rig = await newRig();
  const removal = newRemoval(rig);
  const account = await rig.account();
  const other = await rig.account();
  const browser = await rig.open(account, { label: "canary-label" });
  await rig.open(account);
  const told: unknown[] = [];
  browser.join({ end: (code, reason) => told.push({ code, reason }) });
  await removal.erase(account);
  expect(told).toEqual([{ code: 1008, reason: "browser closed: disabled" }]);
  expect([rig.host.running, rig.browsers.count]).toEqual([0, 0]);
  expect(await rig.store.accounts.find(account.id)).toBeUndefined();
  const ended = await rig.store.usage.ended(account.id, undefined, 9);
  expect(ended.map(({ reason, label }) => [reason, label])).toEqual([
    ["disabled", undefined],
    ["disabled", undefined],
  ]);
  expect(await rig.store.usage.days(account.id, "2026-11")).toMatchObject([{ units: 2 }]);
  expect(await heldBy(rig, other)).toEqual(NOTHING);
});

test("the last operator stays, and stays able to work", async () => {
  await using rig = await newRig();
  const removal = newRemoval(rig);
  const [last, disabled, person] = [await operator(rig), await operator(rig), await rig.account()];
  await rig.store.accounts.change(disabled.id, { isDisabled: true });
  await rig.open(last);
  await expect(removal.erase(last)).rejects.toThrow(AccountError);
  expect(await rig.store.accounts.find(last.id)).toMatchObject({ isDisabled: false });
  expect(rig.browsers.count).toBe(1);
  expect(await removal.isLastOperator(last)).toBe(true);
  expect(await removal.isLastOperator(person)).toBe(false);
  await removal.erase(person);
  await operator(rig);
  expect(await removal.isLastOperator(last)).toBe(false);
  await removal.erase(last);
  expect(await rig.store.accounts.find(last.id)).toBeUndefined();
});

test("of two operators who go at the same moment, one stays", async () => {
  await using rig = await newRig();
  const removal = newRemoval(rig);
  const operators = [await operator(rig), await operator(rig)];
  await Promise.allSettled(operators.map((one) => removal.erase(one)));
  const left = (await rig.store.directory.all("2026-11")).filter(
    ({ isOperator, isDisabled }) => isOperator && !isDisabled,
  );
  expect(left).toHaveLength(1);
});

test("an operator who can't sign in is none to rely on", async () => {
  await using rig = await newRig();
  const last = await operator(rig);
  const withoutPassword = { ...last, id: "no-password", email: "old@example.com" };
  await rig.store.accounts.create(withoutPassword, { password: undefined, token: undefined });
  const removal = newRemoval(rig);
  expect(await removal.isLastOperator(last)).toBe(true);
  await expect(removal.erase(last)).rejects.toThrow(AccountError);
});

test.each([true, false])(
  "where the books can't be written, the account is as it was, operator: %s",
  async (isOperator) => {
    await using rig = await newRig();
    const account = isOperator ? await operator(rig) : await rig.account();
    await operator(rig);
    const browser = await rig.open(account);
    vi.spyOn(rig.store.accounts, "erase").mockRejectedValueOnce(new Error("The disk is full."));
    const removal = newRemoval(rig);
    await expect(removal.erase(account)).rejects.toThrow("The disk is full.");
    expect(await rig.store.accounts.find(account.id)).toEqual(account);
    expect([...rig.browsers.all()]).toEqual([browser]);
    await removal.erase(account);
    expect(rig.browsers.count).toBe(0);
  },
);

async function operator(rig: Rig): Promise<Account> {
  const account = await rig.account();
  await rig.store.accounts.change(account.id, { isOperator: true });
  // One who can't sign in looks after nobody.
  await rig.store.accounts.setPassword(account.id, "kept:x");
  return { ...account, isOperator: true };
}
