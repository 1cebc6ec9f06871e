import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { type DashboardRig, readTables, startDashboardRig } from "../../../../test/support/pages/dashboard-rig.ts";
import { newPageUser, PASSWORD, type PageUser, signIn } from "../../../../test/support/pages/page-user.ts";

const EMAIL = "anna@example.com";
const PLANTED = "a-secret-that-somebody-else-knows-as-well-0";

const HTTPS = { RBS_PUBLIC_URL: "https://browsers.example" };

/** Sends a request with arbitrary headers, as a proxy or another site could. */
function ask(
  { url }: DashboardRig,
  { path = "/sign-in", method = "GET", body = "", ...headers }: Record<string, string>,
): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof ask>>>();
  const sent = request({ host: url.hostname, port: url.port, path, method, headers }, (answer) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => (text += part));
    answer.once("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
  });
  sent.once("error", reject);
  sent.end(body);
  return promise;
}

function expectRefused({ status, headers }: Awaited<ReturnType<typeof ask>>): void {
  expect([status, headers["set-cookie"]]).toEqual([403, undefined]);
}

const credentials = (email: string): string => new URLSearchParams({ email, password: PASSWORD }).toString();
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const secretOf = (user: PageUser): string => /rbs_session_\w+=([\w-]+)/.exec(user.cookies())?.[1] ?? "";
const isIn = async (rig: DashboardRig, secret: string): Promise<boolean> =>
  (await rig.services.auth.sessions.find(secret)) !== undefined;

test("a planted cookie isn't used for the new session", async () => {
  await using rig = await startDashboardRig();
  await rig.services.accounts.signUp(EMAIL, PASSWORD);
  const victim = newPageUser(rig.url);
  const Cookie = `rbs_session_${rig.url.port}=${PLANTED}`;
  expect((await victim.get("/dashboard", { Cookie })).status).toBe(303);
  const { status } = await victim.post("/sign-in", { email: EMAIL, password: PASSWORD }, { Cookie });
  expect(status).toBe(303);
  expect(secretOf(victim)).toMatch(/^[\w-]{43}$/);
  expect(secretOf(victim)).not.toBe(PLANTED);
  expect(await isIn(rig, PLANTED)).toBe(false);
});

describe("with several cookies, some of which other sites on this host may have planted", () => {
  const open = async (user: PageUser, Cookie: string) => (await user.get("/dashboard", { Cookie })).status;

  test("the valid cookie is used, so that invalid cookies don't lock the user out", async () => {
    await using rig = await startDashboardRig();
    const { user } = await rig.newMember(EMAIL);
    const own = user.cookies();
    const [name = ""] = own.split("=");
    const planted = (count: number): string =>
      Array.from({ length: count }, (_, index) => `${name}=${PLANTED}${index}`).join("; ");
    for (const Cookie of [
      `${name}=${PLANTED}; ${own}`,
      `${own};${name}=${PLANTED}`,
      `${name}=; ${name}="x"; ${own}`,
      `a=b; ${own}; ${own}`,
      `a=b; x${own}; ${own}`,
      `${planted(40)}; ${own}`,
    ])
      expect([Cookie, await open(user, Cookie)]).toEqual([Cookie, 200]);
  });

  test("several valid cookies are all ignored until the user signs in again", async () => {
    await using rig = await startDashboardRig();
    const { user } = await rig.newMember(EMAIL);
    const { user: attacker } = await rig.newMember("attacker@example.com");
    const both = `${attacker.cookies()}; ${user.cookies()}`;
    for (const Cookie of [both, `${user.cookies()};${attacker.cookies()}`])
      expect((await user.get("/dashboard", { Cookie })).headers.get("location")).toBe("/sign-in?next=%2Fdashboard");
    await user.post("/sign-in", { email: EMAIL, password: PASSWORD }, { Cookie: both });
    expect(await open(user, `${attacker.cookies()}; ${user.cookies()}`)).toBe(200);
  });
});

test("signing in or changing the password replaces the session; signing up leaves it unchanged", async () => {
  await using rig = await startDashboardRig();
  const user = newPageUser(rig.url, EMAIL);
  const seen: string[] = [];
  const record = async (): Promise<void> => {
    expect(seen).not.toContain(secretOf(user));
    for (const old of seen) expect(await isIn(rig, old)).toBe(false);
    expect(await isIn(rig, secretOf(user))).toBe(true);
    seen.push(secretOf(user));
  };
  await user.post("/sign-up", { email: EMAIL, password: PASSWORD });
  expect(user.cookies()).toBe("");
  await user.post("/sign-in", { email: EMAIL, password: PASSWORD });
  await record();
  // A signed-in user's forms need the form token.
  await user.get("/dashboard/settings");
  await user.post("/sign-in", { email: EMAIL, password: PASSWORD });
  await record();
  await user.get("/dashboard/settings");
  await user.post("/sign-up", { email: "other@example.com", password: PASSWORD });
  expect(await isIn(rig, secretOf(user))).toBe(true);
  await user.get("/dashboard/settings");
  const change = { "current-password": PASSWORD, "new-password": "another sentence entirely" };
  expect((await user.post("/dashboard/settings/password", change)).status).toBe(303);
  await record();
});

test("only a hash of the secret is stored", async () => {
  await using rig = await startDashboardRig();
  const { user } = await rig.newMember(EMAIL);
  expect(JSON.stringify(readTables(rig))).not.toContain(secretOf(user));
});

test("over HTTP, the cookies are HttpOnly and SameSite", async () => {
  await using rig = await startDashboardRig();
  await rig.services.accounts.signUp(EMAIL, PASSWORD);
  const { headers } = await newPageUser(rig.url).post("/sign-in", { email: EMAIL, password: PASSWORD });
  const [cookie = "", known = "", ...more] = headers.getSetCookie();
  expect(more).toEqual([]);
  const { port } = rig.url;
  expect(cookie).toMatch(
    new RegExp(`^rbs_session_${port}=[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax$`),
  );
  expect(known).toMatch(new RegExp(`^rbs_known_${port}=[\\w-]{22}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax$`));
});

test("with an HTTPS URL, the cookie is Secure and other hosts can't set it", async () => {
  await using rig = await startDashboardRig(HTTPS);
  await rig.services.accounts.signUp(EMAIL, PASSWORD);
  const host = { host: "browsers.example", origin: "https://browsers.example" };
  const { status, headers } = await ask(rig, { ...host, ...FORM, method: "POST", body: credentials(EMAIL) });
  expect(status).toBe(303);
  const [cookie = ""] = headers["set-cookie"] as string[];
  expect(cookie).toMatch(
    /^__Host-rbs_session_443=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const [secret = ""] = /(?<==)[\w-]{43}/.exec(cookie) ?? [];

  // The same secret isn't valid in a cookie that other hosts could set.
  const inClear = await ask(rig, { ...host, path: "/dashboard", cookie: `rbs_session_80=${secret}` });
  expect([inClear.status, inClear.headers["location"]]).toEqual([303, "/sign-in?next=%2Fdashboard"]);
  expect((await ask(rig, { ...host, path: "/dashboard", cookie: `__Host-rbs_session_443=${secret}` })).status).toBe(
    200,
  );
  // The form's origin shows that the form was sent over HTTP.
  const byHttp = { ...host, origin: "http://browsers.example", ...FORM, method: "POST", body: credentials(EMAIL) };
  expectRefused(await ask(rig, byHttp));
});

test.each([
  ["https://x.example", "__Host-rbs_session_443"],
  ["https://x.example:8443/", "__Host-rbs_session_8443"],
  ["https://x.example/eu/", "__Host-rbs_session_443_eu"],
  ["https://x.example/us/a;b=c", "__Host-rbs_session_443_us_a_b_c"],
  ["http://x.example/eu", "rbs_session_80_eu"],
])("a server at %s uses the cookie %s, which other servers on its host don't overwrite", async (publicUrl, name) => {
  await using rig = await startDashboardRig({ RBS_PUBLIC_URL: publicUrl });
  await rig.services.accounts.signUp(EMAIL, PASSWORD);
  const { host, origin } = new URL(publicUrl);
  const sent = { host, origin, ...FORM, method: "POST", body: credentials(EMAIL) };
  const { headers } = await ask(rig, sent);
  expect(String(headers["set-cookie"])).toMatch(new RegExp(`^${name}=[\\w-]{43};`));
});

test("if the trusted proxy reports HTTP, the pages ask the user to open them over HTTPS", async () => {
  await using rig = await startDashboardRig({ ...HTTPS, RBS_TRUSTED_PROXIES: "127.0.0.1" });
  const host = { host: "browsers.example", origin: "https://browsers.example" };
  for (const proto of ["http", "https, http"]) {
    const shown = await ask(rig, { ...host, "x-forwarded-proto": proto });
    expectRefused(shown);
    expect(shown.text).toContain("Open them at https://browsers.example/");
    expect(shown.text).not.toContain("<form");
    const body = credentials(EMAIL);
    expectRefused(await ask(rig, { ...host, ...FORM, "x-forwarded-proto": proto, method: "POST", body }));
  }
  expect((await ask(rig, { ...host, "x-forwarded-proto": "https" })).status).toBe(200);
});

test("signing out ends the session on the server and clears the cookie", async () => {
  await using rig = await startDashboardRig();
  const { user } = await rig.newMember(EMAIL);
  const before = user.cookies();
  const { status, headers } = await user.post("/sign-out");
  expect([status, headers.get("location")]).toEqual([303, "/"]);
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^rbs_session_\d+=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  // The next sign-in from this web browser isn't delayed by other clients' failures.
  expect(user.cookies()).toMatch(/^rbs_known_\d+=[\w-]{22}$/);
  expect((await user.get("/dashboard", { Cookie: before })).headers.get("location")).toBe("/sign-in?next=%2Fdashboard");
});

test("with an HTTPS URL, the cookie is cleared with the same attributes, as web browsers require", async () => {
  await using rig = await startDashboardRig(HTTPS);
  const { id } = await rig.services.accounts.signUp(EMAIL, PASSWORD);
  const account = await rig.accountOf(id);
  const cookie = `__Host-rbs_session_443=${await rig.services.auth.sessions.begin(account)}`;
  const host = { host: "browsers.example", origin: "https://browsers.example", cookie };
  const { text } = await ask(rig, { ...host, path: "/dashboard/settings" });
  const [, token = ""] = /name="form-token" value="([^"]+)"/.exec(text) ?? [];
  const body = new URLSearchParams({ "form-token": token }).toString();
  const { headers } = await ask(rig, { ...host, ...FORM, path: "/sign-out", method: "POST", body });
  expect(headers["set-cookie"]).toEqual(["__Host-rbs_session_443=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax"]);
});

test.each([
  [
    {},
    ["browsers.example", "192.0.2.1", "localhost.evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::2]"],
  ],
  [HTTPS, ["evil.example", "browsers.example.evil.example", "xbrowsers.example", "192.0.2.1"]],
])("with %j, no page is available under another host name", async (settings, hosts) => {
  await using rig = await startDashboardRig(settings);
  await rig.services.accounts.signUp(EMAIL, PASSWORD);
  for (const host of hosts)
    for (const path of ["/", "/sign-in", "/sign-up", "/dashboard"]) {
      const shown = await ask(rig, { host, path });
      expect([host, path, shown.status]).toEqual([host, path, 403]);
      expect(shown.text).not.toContain("<form");
      const posted = { ...FORM, host, origin: `http://${host}`, method: "POST", body: credentials(EMAIL) };
      expectRefused(await ask(rig, { ...posted, path: "/sign-in" }));
    }
});

test.each(["evil.example@localhost", "localhost/x", "localhost#", "local host", "localhost:99999"])(
  "the host %j is refused",
  async (host) => {
    await using rig = await startDashboardRig();
    const { status, text } = await ask(rig, { host, path: "/sign-in" });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain("<form");
  },
);

test("the header X-Forwarded-Host is ignored", async () => {
  await using rig = await startDashboardRig(HTTPS);
  const answer = await ask(rig, { host: "evil.example", "x-forwarded-host": "browsers.example" });
  expect(answer.status).toBe(403);
});

test("a request with another site's URL in its request line is rejected", async () => {
  await using rig = await startDashboardRig();
  expect((await ask(rig, { path: "http://evil.example/sign-in" })).status).toBe(403);
});

test("changing the password signs out other browsers and keeps this one signed in", async () => {
  await using rig = await startDashboardRig();
  const { user } = await rig.newMember(EMAIL);
  const elsewhere = await signIn(rig.url, EMAIL, PASSWORD);
  await user.get("/dashboard/settings");
  await user.post("/dashboard/settings/password", {
    "current-password": PASSWORD,
    "new-password": "quite another sentence",
  });
  expect((await user.get("/dashboard")).status).toBe(200);
  expect((await elsewhere.get("/dashboard")).status).toBe(303);
});

test("signing out everywhere else keeps this browser and other users signed in", async () => {
  await using rig = await startDashboardRig();
  const { user } = await rig.newMember(EMAIL);
  const { user: other } = await rig.newMember("other@example.com");
  const elsewhere = await signIn(rig.url, EMAIL, PASSWORD);
  expect((await user.post("/dashboard/settings/sessions")).status).toBe(303);
  const statuses = await Promise.all([user, elsewhere, other].map(async (one) => (await one.get("/dashboard")).status));
  expect(statuses).toEqual([200, 303, 200]);
});
