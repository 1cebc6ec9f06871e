import { expect, test } from "vitest";
import { Attempts } from "./attempts.ts";
import { TooManyAttempts } from "./errors.ts";

const MANY = { points: 1_000_000, perS: 60 };
const only = (points: number) => ({ points, perS: 60 });

/** The error's message; empty if the attempt is allowed. */
async function messageOf(taking: Promise<unknown>): Promise<string> {
  try {
    await taking;
    return "";
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    return error.message;
  }
}

test("ten of a thousand concurrent sign-ins with one email from different addresses are allowed", async () => {
  const attempts = new Attempts();
  const all = Array.from({ length: 1000 }, (_, n) =>
    attempts.takeSignIn(`10.0.${n >> 8}.${n & 255}`, "ann@example.com"),
  );
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
});

test("thirty of a thousand concurrent sign-ins from one address with different emails are allowed", async () => {
  const attempts = new Attempts();
  const all = Array.from({ length: 1000 }, (_, n) => attempts.takeSignIn("192.0.2.1", `${n}@example.com`));
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
});

test("the error says when to retry, and is the same for every email", async () => {
  const attempts = new Attempts({ failuresPerEmail: { points: 1, perS: 900 } });
  await attempts.takeSignIn("192.0.2.1", "known@example.com");
  await attempts.takeSignIn("192.0.2.1", "unknown@example.com");
  const known = await attempts.takeSignIn("192.0.2.1", "known@example.com").catch((error: unknown) => error);
  const unknown = await attempts.takeSignIn("192.0.2.1", "unknown@example.com").catch((error: unknown) => error);
  expect(known).toBeInstanceOf(TooManyAttempts);
  expect(known).toEqual(unknown);
  expect(known).toMatchObject({
    message: "Too many sign-ins with this email address have failed. Try again in 15 minutes.",
    retryAfterS: 900,
  });
});

test.each([
  [1, "a second"],
  [119, "119 seconds"],
  [121, "3 minutes"],
])("a wait of %i s is written as %s", async (perS, time) => {
  const attempts = new Attempts({ signUpsPerAddress: { points: 1, perS } });
  await attempts.takeSignUp("192.0.2.1");
  expect(await messageOf(attempts.takeSignUp("192.0.2.1"))).toContain(`Try again in ${time}.`);
});

test("failures from other addresses don't lock a user out of an address where the user signed in before", async () => {
  const attempts = new Attempts({ failuresPerEmail: only(2), failuresPerKnownAddress: only(2) });
  const fail = (from: string): Promise<string> => messageOf(attempts.takeSignIn(from, "ann@example.com"));
  attempts.remember("192.0.2.1", "Ann@example.com ");
  expect([await fail("192.0.2.2"), await fail("192.0.2.3"), await fail("192.0.2.1")]).toEqual(["", "", ""]);
  expect(await fail("192.0.2.4")).toContain("Too many sign-ins with this email");
  // The known address has a limit of its own.
  expect([await fail("192.0.2.1"), await fail("192.0.2.1")]).toEqual(["", expect.stringContaining("Too many")]);
});

test("attempts that are given back don't count as failures", async () => {
  const attempts = new Attempts({ failuresPerAddress: only(2), failuresPerEmail: only(2) });
  for (let n = 0; n < 10; n += 1) await (await attempts.takeSignIn("192.0.2.1", "ann@example.com"))();
  await attempts.takeSignIn("192.0.2.1", "ann@example.com");
  await attempts.takeSignIn("192.0.2.1", "ann@example.com");
  expect(await messageOf(attempts.takeSignIn("192.0.2.1", "bob@example.com"))).toContain(
    "your network address have failed",
  );
  expect(await messageOf(attempts.takeSignIn("192.0.2.2", "ann@example.com"))).toContain(
    "this email address have failed",
  );
});

test("an attempt can be given back once", async () => {
  const attempts = new Attempts({ failuresPerEmail: only(2) });
  await attempts.takeSignIn("192.0.2.1", "ann@example.com");
  const giveBack = await attempts.takeSignIn("192.0.2.1", "ann@example.com");
  await Promise.all([giveBack(), giveBack()]);
  await attempts.takeSignIn("192.0.2.1", "ann@example.com");
  expect(await messageOf(attempts.takeSignIn("192.0.2.1", "ann@example.com"))).not.toBe("");
});

test("successful sign-ins are limited as well", async () => {
  const attempts = new Attempts({ signInsPerAddress: only(3) });
  for (let n = 0; n < 3; n += 1) await (await attempts.takeSignIn("192.0.2.1", "ann@example.com"))();
  expect(await messageOf(attempts.takeSignIn("192.0.2.1", "ann@example.com"))).toContain(
    "too many sign-ins from your network",
  );
});

test("spelling variants of an email count as one", async () => {
  const attempts = new Attempts({ failuresPerEmail: only(1) });
  await attempts.takeSignIn("192.0.2.1", "Jos\u00e9@Example.com");
  for (const same of ["jos\u00e9@example.com", " JOSE\u0301@EXAMPLE.COM\n", "José@ｅxample.com"]) {
    expect(await messageOf(attempts.takeSignIn("192.0.2.2", same))).not.toBe("");
  }
  expect(await messageOf(attempts.takeSignIn("192.0.2.2", "jose@example.com"))).toBe("");
});

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::1"],
  ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"],
  ["unknown", "unknown", "192.0.2.1"],
])("%s and %s count as one address, %s is another", async (one, same, other) => {
  const attempts = new Attempts({ failuresPerAddress: only(1), signUpsPerAddress: only(1) });
  await attempts.takeSignIn(one, "ann@example.com");
  await attempts.takeSignUp(one);
  expect(await messageOf(attempts.takeSignIn(same, "bob@example.com"))).toContain("network address");
  expect(await messageOf(attempts.takeSignUp(same))).toContain("too many sign-ups from your network address");
  expect(await messageOf(attempts.takeSignIn(other, "bob@example.com"))).toBe("");
  expect(await messageOf(attempts.takeSignUp(other))).toBe("");
});

test("a sign-up can be given back once", async () => {
  const attempts = new Attempts({ signUpsPerAddress: only(2) });
  await attempts.takeSignUp("192.0.2.1");
  const giveBack = await attempts.takeSignUp("192.0.2.1");
  await Promise.all([giveBack(), giveBack()]);
  await attempts.takeSignUp("192.0.2.1");
  expect(await messageOf(attempts.takeSignUp("192.0.2.1"))).toContain("too many sign-ups");
});

test("if others have locked an email, its user can still sign in with another one from the same address", async () => {
  const attempts = new Attempts({ failuresPerAddress: only(2), failuresPerEmail: only(1) });
  await attempts.takeSignIn("192.0.2.66", "ann@example.com");
  for (let n = 0; n < 10; n += 1)
    expect(await messageOf(attempts.takeSignIn("192.0.2.1", "ann@example.com"))).toContain(
      "this email address have failed",
    );
  await attempts.takeSignIn("192.0.2.1", "bob@example.com");
  await attempts.takeSignIn("192.0.2.1", "eve@example.com");
  expect(await messageOf(attempts.takeSignIn("192.0.2.1", "dan@example.com"))).toContain(
    "your network address have failed",
  );
});

test("an address can create ten accounts per hour", async () => {
  const attempts = new Attempts();
  for (let n = 0; n < 10; n += 1) await attempts.takeSignUp("192.0.2.1");
  expect(await messageOf(attempts.takeSignUp("192.0.2.1"))).toContain("60 minutes");
});

test("an account's password can be confirmed ten times", async () => {
  const attempts = new Attempts();
  for (let n = 0; n < 10; n += 1) await attempts.takeCheck("account-1");
  expect(await messageOf(attempts.takeCheck("account-1"))).toContain("too many times");
  expect(await messageOf(attempts.takeCheck("account-2"))).toBe("");
});

test("a flood of sign-ins with other emails locks out no user", async () => {
  const attempts = new Attempts({ failuresPerAddress: MANY, signInsPerAddress: MANY, maxKeys: 100 });
  await Promise.all(
    Array.from({ length: 5000 }, (_, n) => attempts.takeSignIn(`2001:db8:${n.toString(16)}::1`, `${n}@example.com`)),
  );
  expect(await messageOf(attempts.takeSignIn("192.0.2.1", "ann@example.com"))).toBe("");
});
