import { randomBytes } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { TEST_BOX } from "../../../test/support/databases/stores.ts";
import { heldBy, newRig, NOTHING, type Rig } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import { HasherBusy } from "../../ports/password-hasher.ts";
import { Attempts } from "../attempts/attempts.ts";
import { AccountError, BusyError, TooManyAttempts } from "../accounts/errors.ts";
import { Sessions } from "./sessions.ts";
import { SignIn } from "./sign-in.ts";

const EMAIL = "anna@example.com";
const PASSWORD = "a sentence that is hard to guess";
const OTHER = "another sentence entirely";
const WRONG = "a sentence that isn't the password";
const CLIENT = { address: "192.0.2.1", sessions: [], known: [], signal: new AbortController().signal };

function newSignIn(rig: Rig) {
  const sessions = new Sessions({ store: rig.store.sessions, clock: rig.clock, randomBytes });
  const attempts = new Attempts({ clock: rig.clock, box: TEST_BOX });
  const signIn = new SignIn({ ...rig, store: rig.store.accounts, sessions, attempts, randomBytes });
  return {
    signIn,
    sessions,
    /** Signs in and returns the account. */
    async enter(email: string, password: string): Promise<Account | undefined> {
      const signedIn = await signIn.signIn(email, password, CLIENT);
      return signedIn && sessions.find(signedIn.secret);
    },
    /** Deletes a user's account with the password `PASSWORD`. */
    delete: (account: Account) => signIn.deleteAccount(account, { email: account.email, password: PASSWORD }),
  };
}

async function newAccount(rig: Rig, isOperator = false): Promise<Account> {
  const account = await rig.account({ isOperator });
  await rig.store.accounts.setPasswordHash(account.id, `plain:${PASSWORD}`);
  return account;
}

describe("signing in", () => {
  test("requires the email, in any case and with surrounding spaces, and the exact password", async () => {
    await using rig = await newRig();
    const { enter } = newSignIn(rig);
    const account = await rig.accounts.signUp(EMAIL, PASSWORD);
    expect(await enter(" Anna@EXAMPLE.com ", PASSWORD)).toEqual(account);
    expect(await enter(EMAIL, PASSWORD.toUpperCase())).toBeUndefined();
  });

  test("costs the same for unknown emails, wrong passwords, disabled accounts and accounts without a password", async () => {
    await using rig = await newRig();
    const { enter } = newSignIn(rig);
    await rig.accounts.signUp(EMAIL, PASSWORD);
    const disabled = await rig.accounts.signUp("disabled@example.com", PASSWORD);
    await rig.store.accounts.change(disabled.id, { isDisabled: true });
    const withoutPassword = "no-password@example.com";
    await rig.store.accounts.create({ ...disabled, id: "no-password", email: withoutPassword }, {});
    // The decoy hash is computed once.
    await enter("first@example.com", WRONG);

    const verify = vi.spyOn(rig.hasher, "verify");
    const spies = (["findByEmail", "find", "readPasswordHash"] as const).map((name) =>
      vi.spyOn(rig.store.accounts, name),
    );
    const cost = async (email: string, password: string): Promise<object> => {
      for (const spy of spies) spy.mockClear();
      const before = rig.hasher.verified;
      expect(await enter(email, password)).toBeUndefined();
      return { compared: rig.hasher.verified - before, reads: spies.map(({ mock }) => mock.calls.length) };
    };
    const unknown = await cost("unknown@example.com", WRONG);
    expect(unknown).toEqual({ compared: 1, reads: [1, 0, 2] });
    expect(await cost(EMAIL, WRONG)).toEqual(unknown);
    expect(await cost(withoutPassword, WRONG)).toEqual(unknown);
    expect(await cost("disabled@example.com", WRONG)).toEqual(unknown);
    expect(await cost("disabled@example.com", PASSWORD)).toEqual(unknown);
    expect(await cost("", "")).toEqual(unknown);
    // If an account has no stored password, the entered password is compared with the decoy hash.
    const decoys = verify.mock.calls.map(([, stored]) => stored).filter((stored) => stored !== `plain:${PASSWORD}`);
    expect(new Set(decoys).size).toBe(1);
    expect(decoys[0]).toMatch(/^plain:[\w-]{43}$/);
  });

  test("fails if the password changes during the comparison", async () => {
    await using rig = await newRig();
    const { enter, signIn } = newSignIn(rig);
    const account = await rig.accounts.signUp(EMAIL, PASSWORD);
    const verify = rig.hasher.verify.bind(rig.hasher);
    vi.spyOn(rig.hasher, "verify").mockImplementationOnce(async (password, stored) => {
      const isRight = await verify(password, stored);
      await signIn.changePassword(account, PASSWORD, OTHER, []);
      return isRight;
    });
    expect(await enter(EMAIL, PASSWORD)).toBeUndefined();
    expect(await enter(EMAIL, OTHER)).toEqual(account);
  });

  test("works again once the hasher is no longer busy, and refused attempts don't count", async () => {
    await using rig = await newRig();
    const { enter } = newSignIn(rig);
    const account = await rig.accounts.signUp(EMAIL, PASSWORD);
    const hash = vi.spyOn(rig.hasher, "hash").mockRejectedValue(new HasherBusy("full"));
    for (let n = 0; n < 12; n += 1) await expect(enter(EMAIL, WRONG)).rejects.toThrow(BusyError);
    hash.mockRestore();
    expect(await enter(EMAIL, PASSWORD)).toEqual(account);
  });

  test.each([
    ["an account", EMAIL, PASSWORD],
    ["no account", "unknown@example.com", PASSWORD],
    ["another password", EMAIL, WRONG],
  ])("after other clients' failures, waits a second before comparing the password: %s", async (_, email, password) => {
    await using rig = await newRig();
    const { enter, signIn } = newSignIn(rig);
    const account = await rig.accounts.signUp(EMAIL, PASSWORD);
    for (let n = 0; n < 5; n += 1) await signIn.signIn(email, "a wrong one", { ...CLIENT, address: `10.0.${n}.1` });
    const before = rig.hasher.verified;
    const entering = enter(email, password);
    await rig.clock.pass(999);
    expect(rig.hasher.verified).toBe(before);
    await rig.clock.pass(1);
    expect(await entering).toEqual(email === EMAIL && password === PASSWORD ? account : undefined);
  });

  test("marks the browser, so that the next sign-in doesn't wait", async () => {
    await using rig = await newRig();
    const { signIn } = newSignIn(rig);
    await rig.accounts.signUp(EMAIL, PASSWORD);
    const known = (await signIn.signIn(EMAIL, PASSWORD, CLIENT))?.known ?? "";
    for (let n = 0; n < 5; n += 1) await signIn.signIn(EMAIL, WRONG, { ...CLIENT, address: `10.0.${n}.1` });
    expect(await signIn.signIn(EMAIL, PASSWORD, { ...CLIENT, known: [known] })).toMatchObject({ known });
  });

  test("finds an account under confusable spellings of its email", async () => {
    await using rig = await newRig();
    const { enter } = newSignIn(rig);
    const account = await rig.accounts.signUp("ⓑob@example.com", PASSWORD);
    expect(account.email).toBe("bob@example.com");
    for (const email of ["bob@example.com", "ⓑOB@ｅxample.com", "bоb@example.com"]) {
      expect(await enter(email, PASSWORD)).toEqual(account);
      await expect(rig.accounts.signUp(email, PASSWORD)).rejects.toThrow("already exists");
    }
  });
});

describe("signing up", () => {
  test("has the same result and cost whether or not the email is taken, and changes no account", async () => {
    await using rig = await newRig();
    const { signIn, enter } = newSignIn(rig);
    const results: unknown[] = [];
    for (const password of [PASSWORD, OTHER]) {
      const before = rig.hasher.hashed;
      results.push([await signIn.signUp(EMAIL, password, CLIENT.address), rig.hasher.hashed - before]);
    }
    expect(results).toEqual([
      [undefined, 1],
      [undefined, 1],
    ]);
    expect(await enter(EMAIL, PASSWORD)).toMatchObject({ email: EMAIL });
    expect(await enter(EMAIL, OTHER)).toBeUndefined();
    expect(await rig.accounts.list()).toHaveLength(1);
  });

  test("counts attempts with existing emails, but not typos or attempts while the hasher is busy", async () => {
    await using rig = await newRig();
    const { signIn } = newSignIn(rig);
    const signUp = (email: string, password: string) => signIn.signUp(email, password, CLIENT.address);
    await rig.accounts.signUp(EMAIL, PASSWORD);
    const hash = vi.spyOn(rig.hasher, "hash").mockRejectedValue(new HasherBusy("full"));
    for (let n = 0; n < 12; n += 1) {
      await expect(signUp(EMAIL, "too short")).rejects.toThrow(AccountError);
      await expect(signUp(EMAIL, PASSWORD)).rejects.toThrow(BusyError);
    }
    hash.mockRestore();
    for (let n = 0; n < 10; n += 1) await signUp(EMAIL, PASSWORD);
    await expect(signUp("new@example.com", PASSWORD)).rejects.toThrow(TooManyAttempts);
  });
});

describe("changing the password", () => {
  test("ends all sessions and starts a new one", async () => {
    await using rig = await newRig();
    const { signIn, sessions, enter } = newSignIn(rig);
    const account = await newAccount(rig);
    const before = [await sessions.begin(account), await sessions.begin(account)];
    const secret = await signIn.changePassword(account, PASSWORD, OTHER, before.slice(0, 1));
    for (const old of before) expect(await sessions.find(old)).toBeUndefined();
    expect(await sessions.find(secret)).toEqual(account);
    expect(await enter(account.email, OTHER)).toEqual(account);
  });

  test("changes nothing while the hasher is busy", async () => {
    await using rig = await newRig();
    const { signIn, enter } = newSignIn(rig);
    const account = await newAccount(rig);
    for (const method of ["verify", "hash"] as const) {
      await enter(account.email, WRONG);
      vi.spyOn(rig.hasher, method).mockRejectedValueOnce(new HasherBusy("full"));
      await expect(signIn.changePassword(account, PASSWORD, OTHER, [])).rejects.toThrow(BusyError);
    }
    expect(await enter(account.email, PASSWORD)).toEqual(account);
  });
});

describe("deleting the account", () => {
  test("erases personal data, closes the browsers, and leaves nothing behind", async () => {
    await using rig = await newRig();
    const account = await newAccount(rig);
    const other = await rig.account();
    const browser = await rig.open(account, { label: "canary-label" });
    await rig.open(account);
    const ends: unknown[] = [];
    browser.join({ end: (code, reason) => ends.push({ code, reason }) });
    await newSignIn(rig).delete(account);
    expect(ends).toEqual([{ code: 1008, reason: "browser closed: disabled" }]);
    expect([rig.host.running, rig.localBrowsers.count]).toEqual([0, 0]);
    expect(await rig.store.accounts.find(account.id)).toBeUndefined();
    const ended = await rig.store.usage.ended(account.id, undefined, 9);
    expect(ended.map(({ reason, label }) => [reason, label])).toEqual([
      ["disabled", undefined],
      ["disabled", undefined],
    ]);
    expect(await rig.store.usage.days(account.id, "2026-11")).toMatchObject([{ units: 2 }]);
    expect(await heldBy(rig, other)).toEqual(NOTHING);
  });

  test("is refused for the last operator who can sign in", async () => {
    await using rig = await newRig();
    const signIn = newSignIn(rig);
    const [last, disabled, user] = [await newAccount(rig, true), await newAccount(rig, true), await newAccount(rig)];
    await rig.store.accounts.change(disabled.id, { isDisabled: true });
    await rig.store.accounts.create({ ...last, id: "no-password", email: "old@example.com" }, {});
    await rig.open(last);
    await expect(signIn.delete(last)).rejects.toThrow(AccountError);
    expect(await rig.store.accounts.find(last.id)).toMatchObject({ isDisabled: false });
    expect(rig.localBrowsers.count).toBe(1);
    expect(await rig.accounts.isLastOperator(last)).toBe(true);
    expect(await rig.accounts.isLastOperator(user)).toBe(false);
    await signIn.delete(user);
    await newAccount(rig, true);
    expect(await rig.accounts.isLastOperator(last)).toBe(false);
    await signIn.delete(last);
    expect(await rig.store.accounts.find(last.id)).toBeUndefined();
  });

  test("one operator remains if two delete their accounts at the same time", async () => {
    await using rig = await newRig();
    const signIn = newSignIn(rig);
    const operators = [await newAccount(rig, true), await newAccount(rig, true)];
    await Promise.allSettled(operators.map((one) => signIn.delete(one)));
    const left = (await rig.accounts.list()).filter(({ isOperator, isDisabled }) => isOperator && !isDisabled);
    expect(left).toHaveLength(1);
  });

  test.each([true, false])("leaves the account unchanged if the store fails, operator: %s", async (isOperator) => {
    await using rig = await newRig();
    const signIn = newSignIn(rig);
    const account = await newAccount(rig, isOperator);
    await newAccount(rig, true);
    const browser = await rig.open(account);
    vi.spyOn(rig.store.accounts, "erase").mockRejectedValueOnce(new Error("The disk is full."));
    await expect(signIn.delete(account)).rejects.toThrow("The disk is full.");
    expect(await rig.store.accounts.find(account.id)).toEqual({ ...account, version: expect.any(Number) });
    expect([...rig.localBrowsers.all()]).toEqual([browser]);
    await signIn.delete(account);
    expect(rig.localBrowsers.count).toBe(0);
  });
});
