import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeSite, pagesOf, readBooks, startFakeSite } from "../../../../test/support/fake-site.ts";
import { newPerson, type Person } from "../../../../test/support/person.ts";
import { TOKEN_FIELD, toFormToken } from "../../kit/form-token.ts";

const FOREIGN = "https://evil.example";
/** Where no session is needed, and so none can be misused. */
const FOR_STRANGERS = ["/sign-in", "/sign-up"];

let site: FakeSite;
let [anna, bert]: Person[] = [];

beforeAll(async () => {
  site = await startFakeSite();
  anna = (await site.newMember("anna@example.com", { isOperator: true })).person;
  bert = (await site.newMember("bert@example.com")).person;
});
afterAll(() => site[Symbol.asyncDispose]());

/** What any form here could want, so that nothing is refused for what is missing. */
const FIELDS = { email: "new@example.com", password: "a sentence nobody guesses", name: "x", plan: "" };
const secretOf = (person: Person | undefined): string => person?.cookies().split("=")[1] ?? "";
const toPath = (route: string): string => route.replaceAll(/:\w+/g, "x");

type Sent = {
  readonly fields?: Record<string, string | undefined>;
  readonly headers?: Record<string, string | undefined>;
};

/** By what a form of another site, or of another session, differs from ours. */
const FORGED: readonly (readonly [string, (own: string, others: string) => Sent])[] = [
  ["without a form token", () => ({ fields: { [TOKEN_FIELD]: undefined } })],
  ["with an empty form token", () => ({ fields: { [TOKEN_FIELD]: "" } })],
  ["with another session's form token", (_, others) => ({ fields: { [TOKEN_FIELD]: toFormToken(others) } })],
  ["with the session's own secret for a form token", (own) => ({ fields: { [TOKEN_FIELD]: own } })],
  ["from another site", () => ({ headers: { Origin: FOREIGN } })],
  ["from another port of this host", () => ({ headers: { Origin: "http://127.0.0.1:1" } })],
  ["from this host's other name", () => ({ headers: { Origin: `http://localhost:${site.url.port}` } })],
  ["from a page without an origin", () => ({ headers: { Origin: "null" } })],
  ["from nobody says where", () => ({ headers: { Origin: undefined } })],
  ["from another site of this host", () => ({ headers: { Origin: undefined, "Sec-Fetch-Site": "same-site" } })],
  ["from another site, without an origin", () => ({ headers: { Origin: undefined, "Sec-Fetch-Site": "cross-site" } })],
  ["typed by nobody", () => ({ headers: { Origin: undefined, "Sec-Fetch-Site": "none" } })],
];

test("there are forms to try it with", () => {
  const paths = pagesOf(site, "POST");
  expect(paths).toEqual(expect.arrayContaining(["/sign-in", "/sign-up", "/sign-out", "/dashboard/settings/delete"]));
});

describe.each(FORGED)("a form sent %s", (_, forge) => {
  test("does nothing, whichever it is", async () => {
    const before = readBooks(site);
    for (const route of pagesOf(site, "POST")) {
      const { fields, headers } = forge(secretOf(anna), secretOf(bert));
      const { status, headers: answered } = (await anna?.post(toPath(route), { ...FIELDS, ...fields }, headers)) ?? {};
      expect({ route, status, cookies: answered?.getSetCookie() }).toEqual({ route, status: 403, cookies: [] });
    }
    expect(readBooks(site)).toEqual(before);
  });
});

test.each([
  [undefined, "This form was sent without an origin, so nothing was changed"],
  ["null", "This form was sent from a page without an origin, so nothing was changed"],
  [FOREIGN, `This form was sent from ${FOREIGN}, so nothing was changed`],
])("a form from %s is refused with what was wrong about it", async (Origin, words) => {
  const { text } = (await anna?.post("/dashboard/settings/sessions", FIELDS, { Origin })) ?? {};
  expect(text).toContain(words);
});

test("somebody who is not signed in is signed in by no other site", async () => {
  const before = readBooks(site);
  for (const route of FOR_STRANGERS)
    for (const headers of [{ Origin: FOREIGN }, { Origin: "null" }, { Origin: undefined }]) {
      const stranger = newPerson(site.url);
      const { status } = await stranger.post(route, { ...FIELDS, email: "bert@example.com" }, headers);
      expect([route, status, stranger.cookies()]).toEqual([route, 403, ""]);
    }
  expect(readBooks(site)).toEqual(before);
});

test("a browser that tells no origin but says that the page is ours is believed", async () => {
  const { status } = (await anna?.post(
    "/dashboard/settings/additional-units",
    { "additional-units": "on" },
    { Origin: undefined, "Sec-Fetch-Site": "same-origin" },
  )) ?? { status: 0 };
  expect(status).toBe(303);
});

test("nothing but a form that is sent changes anything", async () => {
  const paths = [...pagesOf(site, "POST"), "/sign-out?form-token=x"].map(toPath);
  const before = readBooks(site);
  const Cookie = anna?.cookies() ?? "";
  for (const path of paths)
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const { status } = await fetch(new URL(path, site.url), { method, headers: { Cookie }, redirect: "manual" });
      expect([method, path, status < 500]).toEqual([method, path, true]);
    }
  expect(readBooks(site)).toEqual(before);
});
