import { expect, test, vi } from "vitest";
import { newRig } from "../../../test/support/new-browsers.ts";
import { HasherBusy } from "../../ports/password-hasher.ts";
import { findEntryFault } from "./account-entry.ts";
import { AccountError } from "./account-error.ts";
import { BusyError } from "./busy-error.ts";

const EMAIL = "anna@example.com";
const PASSWORD = "a sentence nobody guesses";

test("whoever signs up has no plan, no token and no rights", async () => {
  await using rig = await newRig();
  const account = await rig.accounts.signUp(EMAIL, PASSWORD);
  expect(account).toMatchObject({ email: EMAIL, plan: undefined, isOperator: false, hasAdditionalUnits: false });
  expect(await rig.store.accounts.find(account.id)).toEqual(account);
  expect(await rig.store.tokens.list(account.id)).toEqual([]);
});

test.each([
  ["nobody", PASSWORD, /"nobody" is not an e-mail/],
  ["a@b\u0000c.example", PASSWORD, /is not an e-mail/],
  [EMAIL, "too short", /has 9 characters/],
  [EMAIL, `${EMAIL} ${EMAIL}`, /made of the e-mail/],
])("%j with %j makes no account, and nothing is hashed for it", async (email, password, message) => {
  await using rig = await newRig();
  const hash = vi.spyOn(rig.hasher, "hash");
  expect(findEntryFault(email, password)?.message).toMatch(message);
  await expect(rig.accounts.signUp(email, password)).rejects.toThrow(AccountError);
  expect(hash).not.toHaveBeenCalled();
  expect(await rig.store.directory.all("2026-11")).toEqual([]);
});

test("an e-mail that is taken, in any case, makes no second account", async () => {
  await using rig = await newRig();
  await rig.accounts.signUp(EMAIL, PASSWORD);
  await expect(rig.accounts.signUp(EMAIL.toUpperCase(), PASSWORD)).rejects.toThrow(/exists already/);
  expect(await rig.store.directory.all("2026-11")).toHaveLength(1);
});

test("at a busy moment no account is made", async () => {
  await using rig = await newRig();
  vi.spyOn(rig.hasher, "hash").mockRejectedValueOnce(new HasherBusy("full"));
  await expect(rig.accounts.signUp(EMAIL, PASSWORD)).rejects.toThrow(BusyError);
  expect(await rig.store.directory.all("2026-11")).toEqual([]);
});
