import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { newRig } from "../../../test/support/new-browsers.ts";
import { AccountError } from "./account-error.ts";

const PERSON = { email: "p@example.com", plan: "small", parallel: undefined, units: undefined, token: undefined };

test("a token opens its account until it is renewed or the account is disabled", async () => {
  await using rig = await newRig();
  const { account, token } = await rig.accounts.create(PERSON);
  expect(await rig.tokens.authenticate(token)).toEqual(account);
  const renewed = await rig.accounts.renewToken(PERSON.email, undefined);
  // Calls of one turn of the event loop ask the books once.
  await nextTurn();
  expect(await rig.tokens.authenticate(token)).toBeUndefined();
  expect(await rig.tokens.authenticate(renewed.token)).toEqual(account);
  expect((await rig.tokens.list(account)).map(({ name }) => name)).toEqual(["from the operator"]);
  await rig.accounts.change(PERSON.email, { isDisabled: true });
  await nextTurn();
  expect(await rig.tokens.authenticate(renewed.token)).toBeUndefined();
});

test("tokens are long, random, and kept only as a hash", async () => {
  await using rig = await newRig();
  const { token } = await rig.accounts.create(PERSON);
  expect(token).toMatch(/^rbs_[\w-]{43}$/);
  expect(JSON.stringify(await rig.accounts.list())).not.toContain(token);
});

test("a chosen token is taken as it is", async () => {
  await using rig = await newRig();
  const chosen = { ...PERSON, token: "a-token-of-my-own" };
  const { account, token } = await rig.accounts.create(chosen);
  expect(token).toBe(chosen.token);
  expect(await rig.tokens.authenticate(chosen.token)).toEqual(account);
});

test.each([
  [{ email: "nobody" }, /not an e-mail/],
  [{ plan: "huge" }, /no plan "huge"; there are: self-hosted, small/],
  [{ token: "short" }, /at least 16/],
  [{ token: "with spaces in between" }, /letters, digits/],
])("%j is refused with a reason", async (wrong, message) => {
  await using rig = await newRig();
  const created = rig.accounts.create({ ...PERSON, ...wrong });
  await expect(created).rejects.toThrow(AccountError);
  await expect(created).rejects.toThrow(message);
});

test("an e-mail is taken once, in any case", async () => {
  await using rig = await newRig();
  await rig.accounts.create(PERSON);
  await expect(rig.accounts.create({ ...PERSON, email: "P@EXAMPLE.com" })).rejects.toThrow(/exists already/);
});

test("what is changed for an unknown account says so", async () => {
  await using rig = await newRig();
  await expect(rig.accounts.change("who@example.com", { units: 1 })).rejects.toThrow(/no account.*who@example.com/);
});

test("a first account is made once, in an empty store", async () => {
  await using rig = await newRig();
  const first = await rig.accounts.createFirst();
  expect(await rig.tokens.authenticate(first?.token ?? "")).toMatchObject({ plan: "self-hosted" });
  expect(await rig.accounts.createFirst()).toBeUndefined();
});
