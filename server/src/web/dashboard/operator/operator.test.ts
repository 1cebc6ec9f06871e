import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OperatorRig, startOperatorRig } from "../../../../test/support/pages/operator-rig.ts";
import { newPageUser } from "../../../../test/support/pages/page-user.ts";

/** Other users' private data, which operator pages must not show. */
const CANARIES = { label: "canary-label-<b>", proxy: "proxy-canary.example", user: "canary-user" };

let rig: OperatorRig;

beforeAll(async () => {
  rig = await startOperatorRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

describe("for users who aren't operators", () => {
  const PATHS = [
    "/operator",
    "/operator/now",
    "/operator/audit",
    "/operator/accounts/new",
    "/operator/accounts/some-id",
  ];
  const ACTIONS = ["terms", "disable", "enable", "give-rights", "take-rights", "password", "token"];
  const POSTS = ["/operator/accounts/new", "/operator/browsers/some-id/close"];

  test.each(PATHS)("%s looks like an unknown page", async (path) => {
    const { user } = await rig.newUser();
    const { status, text } = await user.get(path);
    const unknown = await user.get("/no-such-page");
    const withoutId = (body: string): string => body.replace(/Request ID: [\w-]+/, "");
    expect([status, withoutId(text)]).toEqual([404, withoutId(unknown.text)]);
    expect(text).toContain("Page not found");
    expect((await newPageUser(rig.url).get(path)).headers.get("location")).toMatch(/^\/sign-in\?next=/);
  });

  test.each([...POSTS, ...ACTIONS.map((action) => `/operator/accounts/ID/${action}`)])(
    "POST %s does nothing",
    async (path) => {
      const [{ user }, { user: other, token }] = [await rig.newUser(), await rig.newMember()];
      const target = path.replace("ID", (await rig.findPath(other.email)).split("/").at(-1) ?? "");
      expect((await user.post(target, { email: "made@example.com", plan: "none" })).status).toBe(404);
      expect(await rig.call(token)).toBe(200);
      expect(await rig.findPath("made@example.com")).toMatch(/isn't in the list/);
    },
  );

  test("the navigation has no link to the operator page", async () => {
    const { user } = await rig.newUser();
    expect((await user.get("/dashboard")).text).not.toContain("/operator");
    expect((await rig.operator.get("/dashboard")).text).toContain('href="/operator"');
  });
});

describe("the overview", () => {
  test("shows the browsers of all users without private data", async () => {
    const { user, token, address } = await rig.newMember();
    const secret = await rig.open(token, {
      Label: CANARIES.label,
      Proxy: { Host: CANARIES.proxy, Port: "3128", Username: CANARIES.user, Password: "canary-password" },
    });
    const { text, headers } = await rig.operator.get("/operator");
    const rows = text.split("<tr").filter((row) => row.includes("/close") && row.includes(user.email));
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row).toMatch(/Chrom[\s\S]*"Clients">0<\/td>\s*<td [^>]*"Units so far">1<\/td>/);
    const page = text + (await rig.operator.get(await rig.findPath(user.email))).text;
    const keys = [address, secret].map((one) => one.split("/").at(-1) ?? "");
    for (const canary of ["canary", ...keys, token]) expect(page).not.toContain(canary);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("reloads without the accounts", async () => {
    const { user } = await rig.newMember();
    const { text } = await rig.operator.get("/operator");
    const [, path = ""] = /id="now"[^>]* data-page="([^"]+)"/.exec(text) ?? [];
    const again = await rig.operator.get(path);
    const partOf = (page: string): string | undefined => /<div id="now"[\s\S]*?<\/table>/.exec(page)?.[0];
    expect(partOf(again.text)).toBe(partOf(text));
    expect(again.text).toContain(user.email);
    expect(text).toContain('id="accounts"');
    expect(again.text).not.toContain('id="accounts"');
  });

  test("shows the capacity and the versions", async () => {
    const { text } = await rig.operator.get("/operator");
    expect(text).toMatch(/of \d+ browsers/);
    expect(text).toMatch(/<dt>Contract<\/dt>\s*<dd>1\.\d+\.\d+</);
  });

  test("shows the result of the last readiness check", async () => {
    await fetch(new URL("/readyz", rig.url));
    expect((await rig.operator.get("/operator")).text).toMatch(/badge good"\s*>Ready</);
  });

  test("closes a browser and keeps its unit in the ledger", async () => {
    const { user, token } = await rig.newMember();
    const { text } = await rig.operator.get("/operator");
    const row = text.split("<tr").find((one) => one.includes(user.email)) ?? "";
    const [, path = ""] = /action="([^"]+\/close)"/.exec(row) ?? [];
    const answer = await rig.operator.post(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/operator?done=closed"]);
    expect(await rig.listed(token)).toEqual([]);
    expect((await rig.operator.post(path)).headers.get("location")).toBe("/operator?done=gone");
    expect((await rig.operator.get(await rig.findPath(user.email))).text).toMatch(
      /this month<\/dt>\s*<dd>1, unlimited</,
    );
  });

  test("never shows text from its URL", async () => {
    const { text } = await rig.operator.get("/operator?done=%3Cb%3Ehacked&search=%22%3E%3Cb%3Ex");
    expect(text).not.toContain("hacked");
    expect(text).not.toContain("<b>x");
  });
});

describe("the list of accounts", () => {
  test("finds accounts by any part of their email, and shows fifty accounts per page", async () => {
    const emails = Array.from({ length: 52 }, (_, at) => `many-${at}@list.example`);
    for (const email of emails) await rig.fake.newAccount({ email });
    const seen = new Set<string>();
    let path: string | undefined = "/operator?search=MANY-";
    const sizes: number[] = [];
    while (path !== undefined) {
      const { text } = await rig.operator.get(path);
      const found = [...text.matchAll(/(many-\d+@list\.example)<\/a>/g)].map(([, email]) => email ?? "");
      found.forEach((email) => seen.add(email));
      sizes.push(found.length);
      path = /href="([^"]+)#accounts">Next page/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(sizes).toEqual([50, 2]);
    expect(seen).toEqual(new Set(emails));
  });

  test("reports that no account matches", async () => {
    const { text } = await rig.operator.get("/operator?search=no-such-account%25");
    expect(text).toContain("No account matches &quot;no-such-account%&quot;.");
  });

  test("finds an account by its id", async () => {
    const { user } = await rig.newUser();
    const path = await rig.findPath(user.email);
    const { text } = await rig.operator.get(`/operator?search=${path.split("/").at(-1)}`);
    expect(text).toContain(`href="${path}">${user.email}</a>`);
    expect((await rig.operator.get(path)).text).toContain(`<code>${path.split("/").at(-1)}</code>`);
  });

  test("shows emails as text", async () => {
    await rig.fake.newAccount({ email: "<img/src=x>@evil.example" });
    const { text } = await rig.operator.get("/operator?search=evil.example");
    expect(text).toContain("&lt;img/src=x&gt;@evil.example");
    expect(text).not.toContain("<img/src=x>");
  });
});
