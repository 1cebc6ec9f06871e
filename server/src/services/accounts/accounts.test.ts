import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { newRig } from "../../../test/support/servers/services-rig.ts";
import { HasherBusy } from "../../ports/password-hasher.ts";
import { AccountError, BusyError } from "./errors.ts";

const USER = { email: "p@example.com", plan: "small" };
const PASSWORD = "a sentence that is hard to guess";

test("a token works until it is renewed or the account is disabled", async () => {
  await using rig = await newRig();
  const { account, token } = await rig.accounts.create(USER);
  expect(await rig.tokens.authenticate(token)).toEqual(account);
  const renewed = await rig.accounts.renewToken(USER.email);
  // Calls in the same iteration of the event loop share a query.
  await nextTurn();
  expect(await rig.tokens.authenticate(token)).toBeUndefined();
  expect(await rig.tokens.authenticate(renewed.token)).toEqual(account);
  expect((await rig.tokens.list(account)).map(({ name }) => name)).toEqual(["from the operator"]);
  await rig.accounts.change(USER.email, { isDisabled: true });
  await nextTurn();
  expect(await rig.tokens.authenticate(renewed.token)).toBeUndefined();
});

test("tokens are long and random, and only their hash is stored", async () => {
  await using rig = await newRig();
  const { token } = await rig.accounts.create(USER);
  expect(token).toMatch(/^rbs_[\w-]{43}$/);
  expect(JSON.stringify(await rig.accounts.list())).not.toContain(token);
});

test("create uses a chosen token unchanged", async () => {
  await using rig = await newRig();
  const chosen = { ...USER, token: "a-token-of-my-own" };
  const { account, token } = await rig.accounts.create(chosen);
  expect(token).toBe(chosen.token);
  expect(await rig.tokens.authenticate(chosen.token)).toEqual(account);
});

test.each([
  [{ email: "no-address" }, /not a valid email/],
  [{ plan: "huge" }, /no plan "huge". Choose one of: self-hosted, small, none/],
  [{ token: "short" }, /at least 16/],
  [{ token: "with spaces in between" }, /letters, digits/],
])("create refuses %j and states the reason", async (wrong, message) => {
  await using rig = await newRig();
  const created = rig.accounts.create({ ...USER, ...wrong });
  await expect(created).rejects.toThrow(AccountError);
  await expect(created).rejects.toThrow(message);
});

test("an email, regardless of case, belongs to at most one account", async () => {
  await using rig = await newRig();
  await rig.accounts.create(USER);
  await expect(rig.accounts.create({ ...USER, email: "P@EXAMPLE.com" })).rejects.toThrow(/already exists/);
});

test("changing an unknown account fails", async () => {
  await using rig = await newRig();
  await expect(rig.accounts.change("who@example.com", { units: 1 })).rejects.toThrow(/no account.*who@example.com/);
});

test("the first account is created only once, and only in an empty store", async () => {
  await using rig = await newRig();
  const first = await rig.accounts.createFirst();
  expect(await rig.tokens.authenticate(first?.secrets?.token ?? "")).toMatchObject({ plan: "self-hosted" });
  expect(await rig.accounts.createFirst()).toBeUndefined();
});

test("the only operator can be found without knowing the unguessable email", async () => {
  await using rig = await newRig();
  await using other = await newRig();
  await expect(rig.accounts.onlyOperator()).rejects.toThrow("There is no operator. Set --email");
  const [first, second] = [await rig.accounts.createFirst(), await other.accounts.createFirst()];
  expect(first?.email).toMatch(/^operator-[a-z2-9]{8}@localhost$/);
  expect(second?.email).not.toBe(first?.email);
  await rig.account();
  expect(await rig.accounts.onlyOperator()).toBe(first?.email);
  await rig.account({ isOperator: true });
  await expect(rig.accounts.onlyOperator()).rejects.toThrow("There are 2 operators. Set --email");
});

test.each([
  ["password", { password: PASSWORD }, { canSignIn: true, tokens: 0 }],
  ["token", { token: "a-token-of-my-own" }, { canSignIn: false, tokens: 1 }],
])("a first account with a chosen %s gets no other secret, and no secret is returned", async (_, chosen, expected) => {
  await using rig = await newRig();
  const first = await rig.accounts.createFirst({ email: USER.email, ...chosen });
  expect(first).toEqual({ email: USER.email, secrets: undefined });
  const account = await rig.store.accounts.findByEmail(USER.email);
  expect(account).toMatchObject({ plan: "self-hosted", isOperator: true });
  const tokens = (await rig.store.tokens.list(account?.id ?? "")).length;
  expect({ canSignIn: await rig.accounts.hasOperator(), tokens }).toEqual(expected);
});

test("a user who signs up has no plan, token or operator rights", async () => {
  await using rig = await newRig();
  const account = await rig.accounts.signUp(USER.email, PASSWORD);
  expect(account).toMatchObject({ email: USER.email, plan: undefined, isOperator: false, hasAdditionalUnits: false });
  expect(await rig.store.accounts.find(account.id)).toEqual(account);
  expect(await rig.store.tokens.list(account.id)).toEqual([]);
});

test.each([
  ["no-address", PASSWORD, "email", /"no-address" is not a valid email/],
  ["a@b\u0000c.example", PASSWORD, "email", /is not a valid email/],
  [USER.email, "too short", "password", /has 9/],
  [USER.email, `${USER.email} ${USER.email}`, "password", /contain your email/],
])("signing up with %j and %j creates no account and hashes nothing", async (email, password, field, message) => {
  await using rig = await newRig();
  const hash = vi.spyOn(rig.hasher, "hash");
  const refusal = { field, message: expect.stringMatching(message) };
  await expect(rig.accounts.signUp(email, password)).rejects.toMatchObject(refusal);
  expect(hash).not.toHaveBeenCalled();
  expect(await rig.store.accounts.isEmpty()).toBe(true);
});

test("signing up with a taken email, regardless of case, creates no second account", async () => {
  await using rig = await newRig();
  await rig.accounts.signUp(USER.email, PASSWORD);
  await expect(rig.accounts.signUp(USER.email.toUpperCase(), PASSWORD)).rejects.toThrow(/already exists/);
  expect(await rig.accounts.list()).toHaveLength(1);
});

test("no account is created if the hasher is busy", async () => {
  await using rig = await newRig();
  vi.spyOn(rig.hasher, "hash").mockRejectedValueOnce(new HasherBusy("full"));
  await expect(rig.accounts.signUp(USER.email, PASSWORD)).rejects.toThrow(BusyError);
  expect(await rig.store.accounts.isEmpty()).toBe(true);
});
