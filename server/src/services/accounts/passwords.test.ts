import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { newRig, type Rig } from "../../../test/support/new-browsers.ts";
import { HasherBusy } from "../../ports/password-hasher.ts";
import { BusyError } from "./busy-error.ts";
import { Passwords } from "./passwords.ts";

const EMAIL = "anna@example.com";
const PASSWORD = "a sentence nobody guesses";
const WRONG = "a sentence that is not it";

function newPasswords({ store, hasher }: Rig): Passwords {
  return new Passwords({ store: store.accounts, hasher, randomBytes });
}

test("an e-mail and its password lead in, however the e-mail's case and spaces are typed", async () => {
  await using rig = await newRig();
  const passwords = newPasswords(rig);
  const account = await rig.accounts.signUp(EMAIL, PASSWORD);
  expect(await passwords.signIn(" Anna@EXAMPLE.com ", PASSWORD)).toEqual(account);
  expect(await passwords.signIn(EMAIL, PASSWORD.toUpperCase())).toBeUndefined();
});

test("an unknown e-mail, a wrong password, a disabled account and one without a password cost exactly the same", async () => {
  await using rig = await newRig();
  const passwords = newPasswords(rig);
  await rig.accounts.signUp(EMAIL, PASSWORD);
  const disabled = await rig.accounts.signUp("disabled@example.com", PASSWORD);
  await rig.store.accounts.change(disabled.id, { isDisabled: true });
  const withoutPassword = "no-password@example.com";
  const other = { ...disabled, id: "no-password", email: withoutPassword };
  await rig.store.accounts.create(other, { password: undefined, token: undefined });
  // What nobody's password is compared with is made once.
  await passwords.signIn("first@example.com", WRONG);

  const verify = vi.spyOn(rig.hasher, "verify");
  const spies = (["findByEmail", "find", "readPassword"] as const).map((name) => vi.spyOn(rig.store.accounts, name));
  const cost = async (email: string, password: string): Promise<object> => {
    for (const spy of spies) spy.mockClear();
    const before = rig.hasher.verified;
    expect(await passwords.signIn(email, password)).toBeUndefined();
    return { compared: rig.hasher.verified - before, reads: spies.map(({ mock }) => mock.calls.length) };
  };
  const unknown = await cost("nobody@example.com", WRONG);
  expect(unknown).toEqual({ compared: 1, reads: [1, 0, 2] });
  expect(await cost(EMAIL, WRONG)).toEqual(unknown);
  expect(await cost(withoutPassword, WRONG)).toEqual(unknown);
  expect(await cost("disabled@example.com", WRONG)).toEqual(unknown);
  expect(await cost("disabled@example.com", PASSWORD)).toEqual(unknown);
  expect(await cost("", "")).toEqual(unknown);
  // Where there is no password to compare with, it is one that nobody has: as long to compare as anybody's.
  const others = verify.mock.calls.map(([, kept]) => kept).filter((kept) => kept !== `kept:${PASSWORD}`);
  expect(new Set(others).size).toBe(1);
  expect(others[0]).toMatch(/^kept:[\w-]{43}$/);
});

test("a password that is changed while it is compared leads in no more", async () => {
  await using rig = await newRig();
  const passwords = newPasswords(rig);
  const account = await rig.accounts.signUp(EMAIL, PASSWORD);
  const { hasher } = rig;
  const verify = hasher.verify.bind(hasher);
  vi.spyOn(hasher, "verify").mockImplementationOnce(async (password, kept) => {
    const isRight = await verify(password, kept);
    await passwords.change(account, "another sentence entirely");
    return isRight;
  });
  expect(await passwords.signIn(EMAIL, PASSWORD)).toBeUndefined();
  expect(await passwords.signIn(EMAIL, "another sentence entirely")).toEqual(account);
});

test("after a busy moment the next sign-in is checked again", async () => {
  await using rig = await newRig();
  const passwords = newPasswords(rig);
  vi.spyOn(rig.hasher, "hash").mockRejectedValueOnce(new HasherBusy("full"));
  await expect(passwords.signIn("nobody@example.com", WRONG)).rejects.toThrow(BusyError);
  expect(await passwords.signIn("nobody@example.com", WRONG)).toBeUndefined();
});

test("whoever comes at a busy moment is told so, and nothing is changed", async () => {
  await using rig = await newRig();
  const passwords = newPasswords(rig);
  const account = await rig.accounts.signUp(EMAIL, PASSWORD);
  vi.spyOn(rig.hasher, "hash").mockRejectedValueOnce(new HasherBusy("full"));
  await expect(passwords.change(account, "another sentence entirely")).rejects.toThrow(BusyError);
  vi.spyOn(rig.hasher, "verify").mockRejectedValueOnce(new HasherBusy("full"));
  await expect(passwords.check(account, PASSWORD)).rejects.toThrow(BusyError);
  expect(await passwords.check(account, PASSWORD)).toBe(true);
});
