import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardRig,
  pagesOf,
  readTables,
  startDashboardRig,
} from "../../../../test/support/pages/dashboard-rig.ts";
import { newPageUser, type PageUser } from "../../../../test/support/pages/page-user.ts";
import { TOKEN_FIELD, toFormToken } from "../../kit/form-token.ts";

const FOREIGN = "https://evil.example";
/** Forms that need no session, so other sites have no session to misuse. */
const WITHOUT_SESSION = ["/sign-in", "/sign-up"];

let rig: DashboardRig;
let [anna, bert]: PageUser[] = [];

beforeAll(async () => {
  rig = await startDashboardRig();
  anna = (await rig.newMember("anna@example.com", { isOperator: true })).user;
  bert = (await rig.newMember("bert@example.com")).user;
});
afterAll(() => rig[Symbol.asyncDispose]());

/** All fields that a form may require, so that no request fails because of a missing field. */
const FIELDS = { email: "new@example.com", password: "a sentence that is hard to guess", name: "x", plan: "" };
const secretOf = (user: PageUser | undefined): string => user?.cookies().split("=")[1] ?? "";
const toPath = (route: string): string => route.replaceAll(/:\w+/g, "x");

type Sent = {
  readonly fields?: Record<string, string | undefined>;
  readonly headers?: Record<string, string | undefined>;
};

/** How other sites' and other sessions' forms differ from valid forms. */
const FORGED: readonly (readonly [string, (own: string, others: string) => Sent])[] = [
  ["without a form token", () => ({ fields: { [TOKEN_FIELD]: undefined } })],
  ["with an empty form token", () => ({ fields: { [TOKEN_FIELD]: "" } })],
  ["with another session's form token", (_, others) => ({ fields: { [TOKEN_FIELD]: toFormToken(others) } })],
  ["with the session's own secret as the form token", (own) => ({ fields: { [TOKEN_FIELD]: own } })],
  ["from another site", () => ({ headers: { Origin: FOREIGN } })],
  ["from another port of this host", () => ({ headers: { Origin: "http://127.0.0.1:1" } })],
  ["from an alias of this host", () => ({ headers: { Origin: `http://localhost:${rig.url.port}` } })],
  ["from a page without an Origin header", () => ({ headers: { Origin: "null" } })],
  ["without an origin", () => ({ headers: { Origin: undefined } })],
  ["from another origin on the same site", () => ({ headers: { Origin: undefined, "Sec-Fetch-Site": "same-site" } })],
  ["from another site, without an origin", () => ({ headers: { Origin: undefined, "Sec-Fetch-Site": "cross-site" } })],
  ["by direct navigation", () => ({ headers: { Origin: undefined, "Sec-Fetch-Site": "none" } })],
];

test("the tests find the forms", () => {
  const paths = pagesOf(rig, "POST");
  expect(paths).toEqual(expect.arrayContaining(["/sign-in", "/sign-up", "/sign-out", "/dashboard/settings/delete"]));
});

describe.each(FORGED)("a form sent %s", (_, forge) => {
  test("changes nothing, regardless of the form", async () => {
    const before = readTables(rig);
    for (const route of pagesOf(rig, "POST")) {
      const { fields, headers } = forge(secretOf(anna), secretOf(bert));
      const { status, headers: answered } = (await anna?.post(toPath(route), { ...FIELDS, ...fields }, headers)) ?? {};
      expect({ route, status, cookies: answered?.getSetCookie() }).toEqual({ route, status: 403, cookies: [] });
    }
    expect(readTables(rig)).toEqual(before);
  });
});

test.each([
  [undefined, "This form was submitted without an origin, so nothing was changed"],
  ["null", "This form was submitted from a page without an origin, so nothing was changed"],
  [FOREIGN, `This form was submitted from ${FOREIGN}, so nothing was changed`],
])("the error for a form from %s explains the reason", async (Origin, words) => {
  const { text } = (await anna?.post("/dashboard/settings/sessions", FIELDS, { Origin })) ?? {};
  expect(text).toContain(words);
});

test("other sites can't sign a visitor in", async () => {
  const before = readTables(rig);
  for (const route of WITHOUT_SESSION)
    for (const headers of [{ Origin: FOREIGN }, { Origin: "null" }, { Origin: undefined }]) {
      const visitor = newPageUser(rig.url);
      const { status } = await visitor.post(route, { ...FIELDS, email: "bert@example.com" }, headers);
      expect([route, status, visitor.cookies()]).toEqual([route, 403, ""]);
    }
  expect(readTables(rig)).toEqual(before);
});

test("a form without an origin is accepted with Sec-Fetch-Site: same-origin", async () => {
  const { status } = (await anna?.post(
    "/dashboard/settings/additional-units",
    { "additional-units": "on" },
    { Origin: undefined, "Sec-Fetch-Site": "same-origin" },
  )) ?? { status: 0 };
  expect(status).toBe(303);
});

test("only POST requests make changes", async () => {
  const paths = [...pagesOf(rig, "POST"), "/sign-out?form-token=x"].map(toPath);
  const before = readTables(rig);
  const Cookie = anna?.cookies() ?? "";
  for (const path of paths)
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const { status } = await fetch(new URL(path, rig.url), { method, headers: { Cookie }, redirect: "manual" });
      expect([method, path, status < 500]).toEqual([method, path, true]);
    }
  expect(readTables(rig)).toEqual(before);
});
