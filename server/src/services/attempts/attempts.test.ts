import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { TEST_BOX } from "../../../test/support/databases/stores.ts";
import { Attempts } from "./attempts.ts";
import { TooManyAttempts } from "../accounts/errors.ts";

type Changes = Pick<ConstructorParameters<typeof Attempts>[0], "limits" | "maxKeys">;

const MANY = { points: 1_000_000, perS: 60 };
const only = (points: number) => ({ points, perS: 60 });

const EMAIL = "ann@example.com";

function newAttempts(changes: Changes = {}) {
  const clock = new FakeClock();
  const attempts = new Attempts({ clock, box: TEST_BOX, ...changes });
  const signal = new AbortController().signal;
  return {
    clock,
    attempts,
    from: (address: string, email = EMAIL, known: readonly string[] = []) =>
      attempts.takeSignIn({ address, known, signal }, email),
  };
}

/** Returns the error's message, or an empty string if the attempt is allowed. */
async function messageOf(taking: Promise<unknown>): Promise<string> {
  try {
    await taking;
    return "";
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    return error.message;
  }
}

test("of a thousand concurrent sign-ins with one email from different addresses, five are allowed and twenty wait", async () => {
  const { from, attempts } = newAttempts();
  const all = Array.from({ length: 1000 }, (_, n) => messageOf(from(`10.${n >> 8}.${n & 255}.1`)));
  const done: string[] = [];
  for (const one of all) void one.then((message) => done.push(message));
  await new Promise(setImmediate);
  expect([done.filter((message) => message === ""), attempts.waiting]).toEqual([Array(5).fill(""), 20]);
  expect(done.filter((message) => message.includes("this email address have failed"))).toHaveLength(975);
});

test("wrong passwords from many addresses slow sign-ins down but don't lock a user out", async () => {
  const { from, clock, attempts } = newAttempts();
  const QUARTER_MS = 900_000;
  const startedMs = clock.elapsedMs();
  let tried = 0;
  // There are more networks than the queue can hold.
  const guess = async (network: number): Promise<void> => {
    for (let n = 0; clock.elapsedMs() < startedMs + QUARTER_MS; n += 1) {
      const message = await messageOf(from(`10.0.${network}.${n & 255}`));
      if (message === "") tried += 1;
      else await new Promise<void>((resolve) => void clock.after(15_000, resolve));
    }
  };
  const guesses = Array.from({ length: 25 }, (_, network) => guess(network));
  await clock.pass(0);
  await clock.pass(QUARTER_MS / 2);
  const askedMs = clock.elapsedMs();
  const signedInMs = from("192.0.2.1").then(async (giveBack) => {
    await giveBack();
    return clock.elapsedMs();
  });
  await clock.pass(QUARTER_MS);
  expect((await signedInMs) - askedMs).toBeLessThanOrEqual(16_000);
  await Promise.all(guesses);
  // Nine tries with shorter pauses, then one try every 16 s: at most 233 tries in the first hour.
  expect(tried).toBeGreaterThan(40);
  expect(tried).toBeLessThanOrEqual(9 + QUARTER_MS / 16_000);
  expect([attempts.waiting, clock.pending]).toEqual([0, 0]);
});

test("the delay doubles with each failure, up to 16 s, and resets an hour after the last failure", async () => {
  const { from, clock, attempts } = newAttempts();
  const startedMs = clock.elapsedMs();
  const atS: number[] = [];
  for (let n = 0; n < 10; n += 1) void from(`10.0.${n}.1`).then(() => atS.push((clock.elapsedMs() - startedMs) / 1000));
  await clock.pass(0);
  await clock.pass(31_000);
  expect(atS).toEqual([0, 0, 0, 0, 0, 1, 3, 7, 15, 31]);
  void from("192.0.2.1");
  await clock.pass(0);
  await clock.pass(15_999);
  expect(attempts.waiting).toBe(1);
  await clock.pass(3_600_001);
  for (let n = 0; n < 5; n += 1) await from("10.0.0.1");
});

test("a sign-in waits the same time whether or not its email has an account", async () => {
  const { from, clock } = newAttempts();
  for (const email of ["known@example.com", "unknown@example.com"])
    for (let n = 0; n < 5; n += 1) await from(`10.0.${n}.1`, email);
  const ends: number[] = [];
  for (const email of ["known@example.com", "unknown@example.com"])
    void from("192.0.2.1", email).then(() => ends.push(clock.elapsedMs()));
  await clock.pass(2000);
  expect(ends).toHaveLength(2);
  expect(ends[0]).toBe(ends[1]);
});

test("a sign-in from a network with fewer failures displaces one of twenty waiting sign-ins", async () => {
  const { from, clock, attempts } = newAttempts();
  for (let n = 0; n < 10; n += 1) {
    void messageOf(from("10.0.0.1"));
    await clock.pass(16_000);
  }
  const refused: string[] = [];
  for (let n = 0; n < 20; n += 1) void messageOf(from("10.0.0.1")).then((message) => refused.push(message));
  await clock.pass(0);
  expect([attempts.waiting, refused]).toEqual([20, []]);
  let isAllowed = false;
  void from("192.0.2.1").then(() => (isAllowed = true));
  await clock.pass(0);
  expect([attempts.waiting, refused]).toEqual([20, [expect.stringContaining("this email address have failed")]]);
  await clock.pass(16_000);
  expect(isAllowed).toBe(true);
  await clock.pass(40_000);
  expect([attempts.waiting, clock.pending]).toEqual([0, 0]);
});

test("a thousand waiting sign-ins with 50 emails don't block a sign-in with another email", async () => {
  const { from, clock, attempts } = newAttempts();
  const messages: string[] = [];
  for (let n = 0; n < 50; n += 1) {
    const email = `${n}@example.com`;
    for (let failure = 0; failure < 5; failure += 1) await from(`10.1.0.${n}`, email);
    for (let call = 0; call < 20; call += 1)
      void messageOf(from(`10.2.${call}.${n}`, email)).then((message) => messages.push(message));
  }
  for (let failure = 0; failure < 5; failure += 1) await from("10.1.0.50");
  await clock.pass(0);
  expect([attempts.waiting, messages]).toEqual([1000, []]);

  await from("192.0.2.1", "new@example.com");
  expect([attempts.waiting, messages]).toEqual([1000, []]);
  const signedIn = from("192.0.2.1");
  await clock.pass(0);
  expect([attempts.waiting, messages]).toEqual([1000, ["Too many sign-ins are waiting. Try again in a second."]]);
  await clock.pass(1000);
  await signedIn;
  await clock.pass(60_000);
  expect([attempts.waiting, clock.pending]).toEqual([0, 0]);
});

test("a client that disconnects while waiting doesn't use up an attempt", async () => {
  const { attempts, from, clock } = newAttempts({ limits: { failuresPerAddress: only(6) } });
  for (let n = 0; n < 5; n += 1) await from("192.0.2.1");
  const leaving = new AbortController();
  const client = { address: "192.0.2.1", known: [], signal: leaving.signal };
  const waiting = attempts.takeSignIn(client, EMAIL);
  await clock.pass(0);
  expect(attempts.waiting).toBe(1);
  leaving.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
  expect([attempts.waiting, clock.pending]).toEqual([0, 0]);
  await from("192.0.2.1", "bob@example.com");
});

test("a browser in which the user has signed in before waits only after ten failures", async () => {
  const { from, clock, attempts } = newAttempts({ limits: { failuresPerAddress: only(1) } });
  const known = [attempts.toKnown(" Ann@Example.com ")];
  for (let n = 0; n < 6; n += 1) void messageOf(from(`10.0.${n}.1`));
  await clock.pass(0);
  expect(attempts.waiting).toBe(1);
  // Other clients have used up the failures that this IP address may have.
  await from("192.0.2.1", "bob@example.com");
  for (let n = 0; n < 10; n += 1) await (await from("192.0.2.1", EMAIL, known))();
  for (let n = 0; n < 10; n += 1) await from("192.0.2.1", EMAIL, known);
  expect(await messageOf(from("192.0.2.1", EMAIL, known))).toContain("your network address have failed");
  // The cookie isn't valid for other email addresses.
  expect(await messageOf(from("192.0.2.1", "eve@example.com", known))).toContain("your network address have failed");
  await clock.pass(60_000);
});

test("thirty of a thousand concurrent sign-ins from one address with different emails are allowed", async () => {
  const { from } = newAttempts();
  const all = Array.from({ length: 1000 }, (_, n) => from("192.0.2.1", `${n}@example.com`));
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
});

test.each([
  [1, "a second"],
  [119, "119 seconds"],
  [121, "3 minutes"],
])("a wait of %i s is written as %s", async (perS, time) => {
  const { attempts } = newAttempts({ limits: { signUpsPerAddress: { points: 1, perS } } });
  await attempts.takeSignUp("192.0.2.1");
  expect(await messageOf(attempts.takeSignUp("192.0.2.1"))).toContain(`Try again in ${time}.`);
});

test("successful sign-ins are also limited", async () => {
  const { from } = newAttempts({ limits: { signInsPerAddress: only(3) } });
  for (let n = 0; n < 3; n += 1) await (await from("192.0.2.1"))();
  expect(await messageOf(from("192.0.2.1"))).toContain("too many sign-ins from your network");
});

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::1"],
  ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"],
  ["unknown", "unknown", "192.0.2.1"],
])("%s and %s count as one address, and %s as another", async (one, same, other) => {
  const { attempts, from } = newAttempts({ limits: { failuresPerAddress: only(1), signUpsPerAddress: only(1) } });
  await from(one);
  await attempts.takeSignUp(one);
  expect(await messageOf(from(same, "bob@example.com"))).toContain("network address");
  expect(await messageOf(attempts.takeSignUp(same))).toContain("too many sign-ups from your network address");
  expect(await messageOf(from(other, "bob@example.com"))).toBe("");
  expect(await messageOf(attempts.takeSignUp(other))).toBe("");
});

test("a sign-up attempt's `giveBack` works only once", async () => {
  const { attempts } = newAttempts({ limits: { signUpsPerAddress: only(2) } });
  await attempts.takeSignUp("192.0.2.1");
  const giveBack = await attempts.takeSignUp("192.0.2.1");
  await Promise.all([giveBack(), giveBack()]);
  await attempts.takeSignUp("192.0.2.1");
  expect(await messageOf(attempts.takeSignUp("192.0.2.1"))).toContain("too many sign-ups");
});

test("an address can create ten accounts per hour", async () => {
  const { attempts } = newAttempts();
  for (let n = 0; n < 10; n += 1) await attempts.takeSignUp("192.0.2.1");
  expect(await messageOf(attempts.takeSignUp("192.0.2.1"))).toContain("60 minutes");
});

test("an account's password can be confirmed ten times", async () => {
  const { attempts } = newAttempts();
  for (let n = 0; n < 10; n += 1) await attempts.takeCheck("account-1");
  expect(await messageOf(attempts.takeCheck("account-1"))).toContain("too many times");
  expect(await messageOf(attempts.takeCheck("account-2"))).toBe("");
});

test("a flood of sign-ins with other emails doesn't lock out any user", async () => {
  const limits = { failuresPerAddress: MANY, signInsPerAddress: MANY };
  const { from } = newAttempts({ limits, maxKeys: 100 });
  await Promise.all(
    Array.from({ length: 1000 }, (_, n) => messageOf(from(`2001:db8:${n.toString(16)}::1`, `${n}@example.com`))),
  );
  expect(await messageOf(from("192.0.2.1"))).toBe("");
});

test("a sign-in that calls `giveBack` doesn't count as a failure, and a second call has no effect", async () => {
  const { from, attempts, clock } = newAttempts({ limits: { failuresPerAddress: only(6) } });
  for (let n = 0; n < 20; n += 1) await (await from("192.0.2.1"))();
  const giveBack = await from("192.0.2.1");
  await Promise.all([giveBack(), giveBack()]);
  for (let n = 0; n < 5; n += 1) await from("192.0.2.1");
  const late = from("192.0.2.1");
  await clock.pass(0);
  expect(attempts.waiting).toBe(1);
  await clock.pass(2000);
  await late;
  expect(await messageOf(from("192.0.2.1", "bob@example.com"))).toContain("your network address have failed");
});

test("spelling variants of one email count together", async () => {
  const { from, attempts, clock } = newAttempts();
  const variants = [
    "Jos\u00e9@Example.com",
    " JOSE\u0301@EXAMPLE.COM\n",
    "Jos\u00e9@\uff45xample.com",
    "j\u043es\u00e9@example.com",
  ];
  for (const email of [...variants, "jos\u00e9@ex\u0430mple.com"]) await from("192.0.2.1", email);
  void from("192.0.2.1", "jos\u00e9@example.com");
  await clock.pass(0);
  expect(attempts.waiting).toBe(1);
  await from("192.0.2.1", "jose@example.com");
  await clock.pass(1000);
});
