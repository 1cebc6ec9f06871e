import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DashboardRig, pagesOf, startDashboardRig } from "../../../../test/support/pages/dashboard-rig.ts";
import {
  newPageUser,
  PASSWORD,
  type PageUser,
  type PageResponse,
  signIn,
} from "../../../../test/support/pages/page-user.ts";
import { TOKEN_FIELD, toFormToken } from "../../kit/form-token.ts";

const MARKUP = `<script>canary()</script><img src=x onerror=canary()>"'`;
/** Anna's email address, which contains markup. */
const ANNAS = `"<script>canary()</script><b>'"@canary.example`;
const LABEL = `canary-label ${MARKUP}`;
const TOKEN_NAME = `canary-token ${MARKUP}`;
const PROXY_HOST = "canary-proxy.example";
const KEY = "sk-canary-key-0123456789";

let rig: DashboardRig;
let anna: { user: PageUser; token: string; id: string };
/** Strings that another user's pages must not contain. */
let canaries: string[];
/** Anna's ids that may appear in the paths of pages and forms. */
let names: string[];

beforeAll(async () => {
  rig = await startDashboardRig();
  const { services } = rig;
  await services.accounts.createFirst();
  anna = await rig.newMember(ANNAS);
  const account = await rig.accountOf(anna.id);
  const added = await services.auth.tokens.add(account, TOKEN_NAME.slice(0, 60));
  await services.auth.providerKeys.set(account, KEY);
  const proxy = { Host: PROXY_HOST, Port: "8080", Username: "canary-user", Password: "canary-password" };
  const ended = await api("Open", { Label: LABEL, Proxy: proxy });
  await api("Close", { address: ended["address"] });
  const { address } = await api("Open", { Label: LABEL, Proxy: proxy, KeepOpen: 3600 });
  const tokens = await services.auth.tokens.list(account);
  const [browser = expect.fail()] = services.localBrowsers.list(account);
  names = [anna.id, browser.id, address ?? "", address?.split("/").at(-1) ?? "", ...tokens.map(({ id }) => id)];
  canaries = ["canary", ...names, anna.token, added, ...tokens.map(({ prefix }) => prefix)].filter(
    (one) => one !== "rbs_",
  );
});
afterAll(() => rig[Symbol.asyncDispose]());

async function api(operation: string, body: object): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${anna.token}`, "Content-Type": "application/json" };
  const url = new URL(`/api/v1/Browser/${operation}`, rig.url);
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, string>;
}

/** Returns the paths of all pages, with each of anna's ids as a parameter. Excludes streams, which don't end. */
function allPaths(method: "GET" | "POST"): string[] {
  const routes = pagesOf(rig, method).filter((route) => !/events|stream/.test(route));
  const paths = routes.flatMap((route) =>
    /:\w+/.test(route)
      ? names.map((name) => route.replaceAll(/:\w+(?:\{[^}]*\})?/g, encodeURIComponent(name)))
      : [route],
  );
  return [...new Set(paths)];
}

const leaks = ({ text, headers }: PageResponse): string[] =>
  canaries.filter((canary) => text.includes(canary) || JSON.stringify([...headers]).includes(canary));

describe("another account", () => {
  test("can't see an account's data on any page", async () => {
    const { user } = await rig.newMember("bert@example.com");
    for (const path of allPaths("GET")) {
      const seen = await user.get(path, { "X-Note": "bert" });
      // An error may repeat the requested path, which reveals nothing.
      const own = { ...seen, text: seen.text.replaceAll(path, "").replaceAll(encodeURIComponent(path), "") };
      expect([path, leaks(own)]).toEqual([path, []]);
      expect([path, seen.status < 500]).toEqual([path, true]);
    }
  });

  test("can't change an account with any form", async () => {
    const { services } = rig;
    const { id: carls } = await rig.newMember("carl@example.com");
    const carl = await rig.accountOf(carls);
    const account = await rig.accountOf(anna.id);
    const state = async (): Promise<object> => ({
      account: await services.store.accounts.find(anna.id),
      tokens: await services.store.tokens.list(anna.id),
      key: await services.auth.providerKeys.find(account),
      password: await services.store.accounts.readPasswordHash(anna.id),
      browsers: services.localBrowsers.list(account).map(({ id, address, clients }) => ({ id, address, clients })),
      desktops: services.desktops.count,
    });
    const before = await state();
    const [, , address = "", key = "", token = ""] = names;
    const forms = allPaths("POST").filter((path) => !path.startsWith("/sign-"));
    for (const path of forms) {
      // Use a new session for each form, because some forms end the session.
      const secret = await services.auth.sessions.begin(carl);
      const fields = { address, key, id: token, token, browser: names[1], account: anna.id, email: ANNAS, name: "x" };
      const cookie = { Cookie: `rbs_session_${rig.url.port}=${secret}` };
      const seen = await newPageUser(rig.url).post(path, { ...fields, [TOKEN_FIELD]: toFormToken(secret) }, cookie);
      const own = names.reduce((text, name) => text.replaceAll(name, ""), seen.text);
      expect([path, own.includes("canary-label"), seen.status < 500]).toEqual([path, false, true]);
    }
    expect(await state()).toEqual(before);
  });
});

test("other users can't open operator pages, and visitors can open only the sign-in pages", async () => {
  const { user } = await rig.newMember("dora@example.com");
  for (const path of allPaths("GET").filter((one) => one.startsWith("/operator")))
    expect([path, (await user.get(path)).status]).toEqual([path, 404]);
  for (const path of allPaths("GET").filter((one) => /^\/(?:dashboard|operator)/.test(one))) {
    const { status, headers } = await user.get(path, { Cookie: "" });
    expect([path, status, headers.get("location")?.startsWith("/sign-in")]).toEqual([path, 303, true]);
  }
});

test("user input appears as text, never as markup, on every user and operator page", async () => {
  const operator = await rig.newMember("operator-of-this@example.com", { isOperator: true });
  let shown = 0;
  for (const one of [anna.user, operator.user])
    for (const path of allPaths("GET")) {
      const { text, headers } = await one.get(path);
      // A browser that respects the content type saves a download instead of rendering it.
      if (headers.get("content-type")?.startsWith("text/html") !== true) continue;
      expect([path, /<(?:script>canary|img src=x|b>)/.test(text)]).toEqual([path, false]);
      // No value closes its attribute early: quotes in tags are paired, and quotes inside values are escaped.
      expect([path, /=(?:"[^"]*"|'[^']*')[^\s/>]*canary\(\)/.test(text)]).toEqual([path, false]);
      if (text.includes("&lt;script&gt;canary()")) shown += 1;
    }
  // Make sure the text is present: each of Anna's pages shows her email address.
  expect(shown).toBeGreaterThan(3);
});

test("a user whose email address contains markup can sign up, sign in and delete the account", async () => {
  const seen = await signIn(rig.url, ANNAS, PASSWORD).then((user) => user.get("/dashboard/settings"));
  expect(seen.status).toBe(200);
  expect(seen.text).toContain("&lt;script&gt;canary()&lt;/script&gt;");
  expect(seen.text).not.toContain("<script>canary");
});
