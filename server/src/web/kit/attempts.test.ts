import { expect, test } from "vitest";
import { newAttempts } from "./attempts.ts";
import { PageError } from "./errors.ts";

const MANY = { points: 1_000_000, perS: 60 };
const only = (points: number) => ({ points, perS: 60 });

/** The refusal's words, "" when there is none. */
async function wordsOf(taking: Promise<unknown>): Promise<string> {
  try {
    await taking;
    return "";
  } catch (refusal) {
    if (!(refusal instanceof PageError)) throw refusal;
    return refusal.message;
  }
}

test("of a thousand attempts at once with one e-mail, from as many addresses, ten come through", async () => {
  const attempts = newAttempts();
  const taken = Array.from({ length: 1000 }, (_, n) => attempts.take(`10.0.${n >> 8}.${n & 255}`, "ann@example.com"));
  const outcomes = await Promise.allSettled(taken);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
});

test("of a thousand attempts at once from one address, with as many e-mails, thirty come through", async () => {
  const attempts = newAttempts();
  const taken = Array.from({ length: 1000 }, (_, n) => attempts.take("192.0.2.1", `${n}@example.com`));
  const outcomes = await Promise.allSettled(taken);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
});

test("a refusal says what to do and when, and is the same for every e-mail", async () => {
  const attempts = newAttempts({ failuresPerEmail: { points: 1, perS: 900 } });
  await attempts.take("192.0.2.1", "known@example.com");
  await attempts.take("192.0.2.1", "unknown@example.com");
  const known = await attempts.take("192.0.2.1", "known@example.com").catch((error: unknown) => error);
  const unknown = await attempts.take("192.0.2.1", "unknown@example.com").catch((error: unknown) => error);
  expect(known).toBeInstanceOf(PageError);
  expect(known).toEqual(unknown);
  expect(known).toMatchObject({
    status: 429,
    title: "Too many attempts",
    message: "Too many sign-ins with this e-mail address have failed. Try again in 15 minutes.",
    retryAfterS: 900,
  });
});

test.each([
  [1, "a second"],
  [119, "119 seconds"],
  [121, "3 minutes"],
])("a wait of %i s is told as %s", async (perS, words) => {
  const attempts = newAttempts({ signUpsPerAddress: { points: 1, perS } });
  await attempts.takeSignUp("192.0.2.1");
  expect(await wordsOf(attempts.takeSignUp("192.0.2.1"))).toContain(`Try again in ${words}.`);
});

test.each(["succeed", "withdraw"] as const)("attempts that %s don't count as failures", async (how) => {
  const attempts = newAttempts({ failuresPerAddress: only(2), failuresPerEmail: only(2) });
  for (let n = 0; n < 10; n += 1) await (await attempts.take("192.0.2.1", "ann@example.com"))[how]();
  await attempts.take("192.0.2.1", "ann@example.com");
  await attempts.take("192.0.2.1", "ann@example.com");
  expect(await wordsOf(attempts.take("192.0.2.1", "bob@example.com"))).toContain("your network address have failed");
  expect(await wordsOf(attempts.take("192.0.2.2", "ann@example.com"))).toContain("this e-mail address have failed");
});

test("an attempt gives back once, and only its own", async () => {
  const attempts = newAttempts({ failuresPerEmail: only(2) });
  await attempts.take("192.0.2.1", "ann@example.com");
  const right = await attempts.take("192.0.2.1", "ann@example.com");
  await Promise.all([right.succeed(), right.succeed(), right.withdraw()]);
  await attempts.take("192.0.2.1", "ann@example.com");
  expect(await wordsOf(attempts.take("192.0.2.1", "ann@example.com"))).not.toBe("");
});

test("sign-ins that succeed are bounded, too: each costs a hash", async () => {
  const attempts = newAttempts({ signInsPerAddress: only(3) });
  for (let n = 0; n < 3; n += 1) await (await attempts.take("192.0.2.1", "ann@example.com")).succeed();
  expect(await wordsOf(attempts.take("192.0.2.1", "ann@example.com"))).toContain("too many sign-ins from your network");
});

test("how an e-mail is spelled makes no difference", async () => {
  const attempts = newAttempts({ failuresPerEmail: only(1) });
  await attempts.take("192.0.2.1", "Jos\u00e9@Example.com");
  for (const same of ["jos\u00e9@example.com", " JOSE\u0301@EXAMPLE.COM\n", "José@ｅxample.com"]) {
    expect(await wordsOf(attempts.take("192.0.2.2", same))).not.toBe("");
  }
  expect(await wordsOf(attempts.take("192.0.2.2", "jose@example.com"))).toBe("");
});

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::1"],
  ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"],
  ["unknown", "unknown", "192.0.2.1"],
])("%s and %s are one address, %s is another", async (one, same, other) => {
  const attempts = newAttempts({ failuresPerAddress: only(1), signUpsPerAddress: only(1) });
  await attempts.take(one, "ann@example.com");
  await attempts.takeSignUp(one);
  expect(await wordsOf(attempts.take(same, "bob@example.com"))).toContain("network address");
  expect(await wordsOf(attempts.takeSignUp(same))).toContain("too many sign-ups from your network address");
  expect(await wordsOf(attempts.take(other, "bob@example.com"))).toBe("");
  expect(await wordsOf(attempts.takeSignUp(other))).toBe("");
});

test("a sign-up that the server was too busy for doesn't count, and is given back once", async () => {
  const attempts = newAttempts({ signUpsPerAddress: only(2) });
  await attempts.takeSignUp("192.0.2.1");
  const busy = await attempts.takeSignUp("192.0.2.1");
  await Promise.all([busy.withdraw(), busy.withdraw()]);
  await attempts.takeSignUp("192.0.2.1");
  expect(await wordsOf(attempts.takeSignUp("192.0.2.1"))).toContain("too many sign-ups");
});

test("whose e-mail is held up by others can try with another one, from the same address", async () => {
  const attempts = newAttempts({ failuresPerAddress: only(2), failuresPerEmail: only(1) });
  await attempts.take("192.0.2.66", "ann@example.com");
  for (let n = 0; n < 10; n += 1)
    expect(await wordsOf(attempts.take("192.0.2.1", "ann@example.com"))).toContain("this e-mail address have failed");
  await attempts.take("192.0.2.1", "bob@example.com");
  await attempts.take("192.0.2.1", "eve@example.com");
  expect(await wordsOf(attempts.take("192.0.2.1", "dan@example.com"))).toContain("your network address have failed");
});

test("ten accounts may be made from an address in an hour", async () => {
  const attempts = newAttempts();
  for (let n = 0; n < 10; n += 1) await attempts.takeSignUp("192.0.2.1");
  expect(await wordsOf(attempts.takeSignUp("192.0.2.1"))).toContain("60 minutes");
});

test("an account's password is asked for ten times at most, apart from sign-ins", async () => {
  const attempts = newAttempts();
  for (let n = 0; n < 10; n += 1) await attempts.takeCheck("account-1");
  expect(await wordsOf(attempts.takeCheck("account-1"))).toContain("asked for too many times");
  expect(await wordsOf(attempts.takeCheck("account-2"))).toBe("");
});

test("a storm of other people's e-mails locks nobody out", async () => {
  const attempts = newAttempts({ failuresPerAddress: MANY, signInsPerAddress: MANY, maxKeys: 100 });
  await Promise.all(
    Array.from({ length: 5000 }, (_, n) => attempts.take(`2001:db8:${n.toString(16)}::1`, `${n}@example.com`)),
  );
  expect(await wordsOf(attempts.take("192.0.2.1", "ann@example.com"))).toBe("");
});
