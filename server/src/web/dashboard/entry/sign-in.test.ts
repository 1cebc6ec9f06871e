import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newArgon2Hasher } from "../../../adapters/argon2/argon2-hasher.ts";
import { systemClock } from "../../../adapters/node/system-clock.ts";
import { type DashboardRig, startDashboardRig } from "../../../../test/support/pages/dashboard-rig.ts";
import { newPageUser, PASSWORD, type PageResponse, signUp } from "../../../../test/support/pages/page-user.ts";
import { HAS_VARIANTS, variant } from "../../../../test/support/variants.ts";

const EMAIL = "anna@example.com";
const WRONG = "a sentence that isn't the password";
/** Settings for a server behind a trusted proxy, so that each client can have its own address. */
const BEHIND_PROXY = { RBS_PUBLIC_URL: "http://127.0.0.1", RBS_TRUSTED_PROXIES: "127.0.0.1", RBS_SIGNUP: "open" };

let rig: DashboardRig;

beforeEach(async () => {
  // The variants cause many concurrent sign-ins, so each sign-in must take as long as with the real hasher.
  const hasher = newArgon2Hasher({ randomBytes, clock: systemClock });
  rig = await startDashboardRig(BEHIND_PROXY, HAS_VARIANTS ? { hasher } : {});
  await rig.services.accounts.signUp(EMAIL, PASSWORD);
});
afterEach(() => rig[Symbol.asyncDispose]());

function attempt(
  email: string,
  password: string,
  forwardedFor = "192.0.2.1",
  next?: string,
  signal?: AbortSignal,
): Promise<PageResponse> {
  const headers = { "X-Forwarded-For": forwardedFor };
  return newPageUser(rig.url).post("/sign-in", { email, password, next }, headers, signal);
}

/** Runs `work` for each index, `atOnce` at a time. */
async function inTurns<T>(count: number, atOnce: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

const count = (statuses: readonly number[], status: number): number => statuses.filter((one) => one === status).length;

variant(
  "of 200 sign-ins from one address, five check a password and the rest wait or fail, and other clients can still sign in",
  async () => {
    const compared = vi.spyOn(rig.services.store.accounts, "findByEmail");
    const leaving = new AbortController();
    const statuses: number[] = [];
    const all = Array.from({ length: 200 }, async (_, index) => {
      const how = { password: index === 100 ? PASSWORD : WRONG, signal: leaving.signal };
      statuses.push(
        await attempt(EMAIL, how.password, "192.0.2.1", undefined, how.signal).then(
          ({ status }) => status,
          () => 0,
        ),
      );
    });
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(180);
    expect(count(statuses, 303)).toBe(0);
    expect(compared.mock.calls.length).toBeLessThanOrEqual(9 + count(statuses, 503));
    expect((await attempt("bert@example.com", PASSWORD, "192.0.2.2")).status).toBe(401);
    leaving.abort();
    await Promise.all(all);
  },
);

test("a new client can sign in despite wrong passwords from many addresses, and is then recognized", async () => {
  const statuses = await inTurns(5, 5, async (index) => (await attempt(EMAIL, WRONG, `192.0.3.${index}`)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  const user = newPageUser(rig.url);
  const signIn = (): Promise<PageResponse> =>
    user.post("/sign-in", { email: EMAIL, password: PASSWORD }, { "X-Forwarded-For": "192.0.2.1" });
  expect((await signIn()).status).toBe(303);
  const signedIn = vi.spyOn(rig.services.signIn, "signIn");
  await user.get("/dashboard");
  await user.post("/sign-out");
  expect((await signIn()).status).toBe(303);
  const known = [/rbs_known_\d+=([\w-]{22})/.exec(user.cookies())?.[1]];
  expect(signedIn).toHaveBeenCalledWith(EMAIL, PASSWORD, expect.objectContaining({ known }));
});

variant("while one address tries passwords, the server responds to other clients, and they can sign in", async () => {
  const flood = { underWay: 200 };
  const flooding = inTurns(flood.underWay, 40, async (index) => {
    const { status } = await attempt(`${index}@example.com`, WRONG);
    flood.underWay -= 1;
    return status;
  });
  const answered: number[] = [];
  while (flood.underWay > 0) answered.push((await newPageUser(rig.url).get("/healthz")).status);
  expect(new Set(answered)).toEqual(new Set([200]));
  // If the hasher is too busy, attempts return 503.
  const statuses = await flooding;
  expect(count(statuses, 401)).toBeLessThanOrEqual(30);
  expect(count(statuses, 401) + count(statuses, 429) + count(statuses, 503)).toBe(200);
  expect((await attempt(EMAIL, PASSWORD, "192.0.2.2")).status).toBe(303);
});

test("a client that bypasses the trusted proxy can't choose its address", async () => {
  await using lone = await startDashboardRig({ ...BEHIND_PROXY, RBS_TRUSTED_PROXIES: "198.51.100.7" });
  const statuses = await inTurns(35, 4, async (index) => {
    const headers = { "X-Forwarded-For": `192.0.2.${index}` };
    return (await newPageUser(lone.url).post("/sign-in", { email: `${index}@example.com`, password: WRONG }, headers))
      .status;
  });
  expect(count(statuses, 401)).toBe(30);
  expect(count(statuses, 429)).toBe(5);
});

variant("a client can't change its address by prepending entries to X-Forwarded-For", async () => {
  const statuses = await inTurns(35, 4, async (index) => {
    return (await attempt(`${index}@example.com`, WRONG, `203.0.113.${index}, 192.0.2.9`)).status;
  });
  expect(count(statuses, 401)).toBe(30);
  expect((await attempt(EMAIL, PASSWORD, "203.0.113.1")).status).toBe(303);
});

test("password confirmations are limited per account", async () => {
  const { user } = await rig.newMember("bert@example.com");
  const fields = { "current-password": WRONG, "new-password": "another sentence entirely" };
  const statuses: number[] = [];
  for (let index = 0; index < 10; index += 1)
    statuses.push((await user.post("/dashboard/settings/password", fields)).status);
  expect(new Set(statuses)).toEqual(new Set([400]));
  const right = { ...fields, "current-password": PASSWORD };
  expect((await user.post("/dashboard/settings/password", right)).status).toBe(429);
  const removal = { "delete-email": "bert@example.com", "delete-password": PASSWORD };
  expect((await user.post("/dashboard/settings/delete", removal)).status).toBe(429);
});

describe("a refusal doesn't reveal whether an account exists", () => {
  const UNKNOWN = "unknown@example.com";
  beforeEach(async () => {
    const { services } = rig;
    const disabled = await services.accounts.signUp("disabled@example.com", PASSWORD);
    await services.store.accounts.change(disabled.id, { isDisabled: true });
    await services.store.accounts.create({ ...disabled, id: "no-password", email: "no-password@example.com" }, {});
    const erased = await services.accounts.signUp("erased@example.com", PASSWORD);
    await services.accounts.erase(erased);
  });

  const KINDS: readonly (readonly [string, string, string])[] = [
    ["a wrong password", EMAIL, WRONG],
    ["no password", EMAIL, ""],
    ["a disabled account", "disabled@example.com", PASSWORD],
    ["an account without a password", "no-password@example.com", PASSWORD],
    ["an erased account", "erased@example.com", PASSWORD],
    ["an invalid email", "<>", PASSWORD],
  ];

  test.each(KINDS)("%s looks like an unknown email", async (_, email, password) => {
    const [one, other] = [await attempt(UNKNOWN, password), await attempt(email, password)];
    const shown = ({ status, headers, text }: PageResponse, sent: string): unknown => {
      const { "x-request-id": _id, date: _date, "content-length": _length, ...same } = Object.fromEntries(headers);
      const quoted = sent.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return { status, same, text: text.replaceAll(`value="${quoted}"`, 'value=""') };
    };
    expect(shown(other, email)).toEqual(shown(one, UNKNOWN));
    expect(one.status).toBe(401);
    expect(one.headers.getSetCookie()).toEqual([]);
  });
});

describe("after signing in", () => {
  test.each([
    "//evil.example",
    "/.//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/\t/evil.example",
    "%2f%2fevil",
  ])("%j leads to the dashboard instead", async (next) => {
    const { headers } = await attempt(EMAIL, PASSWORD, "192.0.2.1", next);
    expect(headers.get("location")).toBe("/dashboard");
    const page = await newPageUser(rig.url).get(`/sign-in?next=${encodeURIComponent(next)}`);
    expect(page.text).not.toContain("evil");
  });

  test("the user is taken to the requested page", async () => {
    const { headers } = await newPageUser(rig.url).get("/dashboard/settings?done=key");
    expect(headers.get("location")).toBe("/sign-in?next=%2Fdashboard%2Fsettings%3Fdone%3Dkey");
    const signedIn = await attempt(EMAIL, PASSWORD, "192.0.2.1", "/dashboard/settings?done=key");
    expect(signedIn.headers.get("location")).toBe("/dashboard/settings?done=key");
  });

  test("a link can't sign the user out", async () => {
    const user = newPageUser(rig.url);
    const { headers } = await user.post("/sign-in", { email: EMAIL, password: PASSWORD, next: "/sign-out" });
    await user.get(headers.get("location") ?? "");
    expect((await user.get("/dashboard")).status).toBe(200);
  });

  test.each(["stripped", "kept"])("redirects keep the public URL's prefix, which the proxy has %s", async (how) => {
    await using below = await startDashboardRig({ ...BEHIND_PROXY, RBS_PUBLIC_URL: "http://127.0.0.1/browsers" });
    const { headers } = await newPageUser(below.url).get(`${how === "kept" ? "/browsers" : ""}/dashboard/settings`);
    expect(headers.get("location")).toBe("/browsers/sign-in?next=%2Fdashboard%2Fsettings");
  });
});

test("signing up looks the same whether the email address is new or taken, and counts as an attempt", async () => {
  const answers: PageResponse[] = [];
  for (const email of ["new@example.com", EMAIL])
    answers.push(await newPageUser(rig.url).post("/sign-up", { email, password: "another sentence entirely" }));
  const [fresh, taken] = answers.map(({ status, headers, text }) => {
    const { "x-request-id": _id, date: _date, "content-length": _length, ...same } = Object.fromEntries(headers);
    return { status, same, text: text.replaceAll(/value="[^"]*@example\.com"/g, "") };
  });
  expect(taken).toEqual(fresh);
  expect([fresh?.status, fresh?.text]).toEqual([200, expect.stringContaining("Sign in to continue.")]);
  expect((await attempt("new@example.com", "another sentence entirely")).status).toBe(303);
  expect((await attempt(EMAIL, "another sentence entirely")).status).toBe(401);
  expect((await attempt(EMAIL, PASSWORD)).status).toBe(303);
  for (let n = 0; n < 8; n += 1) await newPageUser(rig.url).post("/sign-up", { email: EMAIL, password: PASSWORD });
  const { status, text } = await newPageUser(rig.url).post("/sign-up", {
    email: "third@example.com",
    password: PASSWORD,
  });
  expect([status, text]).toEqual([429, expect.stringContaining("too many sign-ups from your network address")]);
});

describe("when sign-up is closed", () => {
  test("users can't sign up, and no page links to the sign-up form", async () => {
    await using closed = await startDashboardRig({ RBS_SIGNUP: "closed" });
    const user = newPageUser(closed.url);
    expect((await user.get("/sign-up")).status).toBe(403);
    expect((await user.post("/sign-up", { email: "new@example.com", password: PASSWORD })).status).toBe(403);
    expect(await closed.services.store.accounts.findByEmail("new@example.com")).toBeUndefined();
    for (const path of ["/", "/sign-in"]) expect((await user.get(path)).text).not.toContain("/sign-up");
  });
});

test.each([
  ["no-address", PASSWORD, "email", "&quot;no-address&quot; is not a valid email address."],
  ["new@example.com", "too short", "password", "Use at least 12 characters. This password has 9."],
])("signing up with %j and %j shows the error next to the field", async (email, password, field, message) => {
  const { status, text } = await newPageUser(rig.url).post("/sign-up", { email, password });
  expect(status).toBe(400);
  expect(text).toContain(`id="${field}-fault" role="alert">${message}`);
  expect(text).toMatch(new RegExp(`<input[^>]*name="${field}"[^>]*aria-describedby="${field}-fault[ "]`));
  expect(text).toContain(`value="${email}"`);
  expect(text).not.toContain(password);
});

test("an IP address can create ten accounts, and invalid input doesn't count", async () => {
  await using open = await startDashboardRig();
  const user = newPageUser(open.url);
  for (let index = 0; index < 12; index += 1)
    expect((await user.post("/sign-up", { email: "new@example.com", password: "too short" })).status).toBe(400);
  for (let index = 0; index < 10; index += 1) await signUp(open.url);
  const { status, headers } = await newPageUser(open.url).post("/sign-up", {
    email: "eleven@example.com",
    password: PASSWORD,
  });
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});
