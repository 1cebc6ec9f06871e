import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import { type PageUser, type PageResponse, signUp } from "../../../../test/support/pages/page-user.ts";
import { TOKEN_FIELD } from "../../kit/form-token.ts";

const PATH = "/dashboard/tokens";
const TOKEN = /rbs_[\w-]{43}/;

let server: FakeService;
beforeEach(async () => {
  server = await startFakeService();
});
afterEach(() => server[Symbol.asyncDispose]());

/** Signs up a user and creates a token. */
async function withToken(name = "nightly") {
  const user = await signUp(server.service.url);
  return { user, token: readToken(await create(user, name)) };
}

async function create(user: PageUser, name: string): Promise<PageResponse> {
  await user.get(PATH);
  return user.post(PATH, { name });
}

function readToken({ text }: PageResponse): string {
  const [token] = TOKEN.exec(text) ?? [];
  if (token === undefined) throw new Error(`The page shows no token: ${text}`);
  return token;
}

/** Returns the hidden fields of the first row's forms. */
async function readRow(user: PageUser): Promise<{ id: string; prefix: string }> {
  const { text } = await user.get(PATH);
  const [, id = ""] = /name="id" value="([^"]+)"/.exec(text) ?? [];
  const [, prefix = ""] = /name="prefix" value="([^"]+)"/.exec(text) ?? [];
  return { id, prefix };
}

/** Returns the status of an API call that uses the token. */
async function callWith(token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await server.send("GET", "/api/v1/Browser/Get", undefined, headers)).status;
}

describe("creating a token", () => {
  test("an account without tokens is asked to create one", async () => {
    const user = await signUp(server.service.url);
    const { status, text } = await user.get(PATH);
    expect(status).toBe(200);
    expect(text).toContain("No tokens yet");
    expect(text).not.toContain("<table");
  });

  test("the response shows the token once, and no later page or URL contains it", async () => {
    const user = await signUp(server.service.url);
    const answer = await create(user, "nightly");
    const token = readToken(answer);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Location")).toBeNull();
    expect(answer.text).toContain("able to see it again");
    expect(answer.text).toContain(`data-copy="${token}"`);
    expect(answer.text).toContain('href="/dashboard/quick-start"');
    for (const path of [PATH, "/dashboard", "/dashboard/quick-start"]) {
      expect((await user.get(path)).text).not.toContain(token.slice(8));
    }
    expect(await callWith(token)).toBe(200);
  });

  test("the page's commands use this server's URL and the new token", async () => {
    const { text } = await create(await signUp(server.service.url), "nightly");
    expect(text).toContain(
      `<code>export RBS_TOKEN=${readToken({ text } as PageResponse)}\ncurl ${server.service.url.href}api/v1/`,
    );
  });

  test.each([
    ["", "Enter a name"],
    ["x".repeat(61), "up to 60 characters. This one has 61"],
    ["a\nb", "control characters"],
  ])("the name %j is rejected: the field shows an error and keeps the input", async (name, fault) => {
    const user = await signUp(server.service.url);
    const { status, text } = await create(user, name);
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`id="name-fault" role="alert">[^<]*${fault}`));
    expect(text).toMatch(/aria-describedby="name-fault name-hint"\s+aria-invalid="true"/);
    expect(text).toContain(`value="${name}"`);
    expect(text).toContain("No tokens yet");
  });

  test("a name is shown as text, never as markup", async () => {
    const { user } = await withToken(`"><script>alert(1)</script>`);
    const { text } = await user.get(PATH);
    expect(text).toContain("<bdi>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>");
    expect(text).not.toContain("<script>alert");
  });
});

describe("the list", () => {
  test("shows a token's prefix and creation time, and that the token was never used", async () => {
    const { user, token } = await withToken();
    const { text } = await user.get(PATH);
    expect(text).toContain(`<code>${token.slice(0, 8)}…</code>`);
    expect(text).toMatch(/<time datetime="[\d-]+T[\d:.]+Z" data-local>[\d-]+ [\d:]+ UTC<\/time>/);
    expect(text).toMatch(/<td data-name="Last used">\s*Never\s*<\/td>/);
  });

  test("shows a token's last use immediately", async () => {
    const { user, token } = await withToken();
    await callWith(token);
    const { text } = await user.get(PATH);
    expect(text).toContain("just now");
    expect(text).not.toContain("Never");
  });

  test("asks for confirmation before renewing or revoking a token, even without JavaScript", async () => {
    const { user } = await withToken();
    const { text } = await user.get(PATH);
    for (const action of ["renew", "revoke"]) {
      expect(text).toMatch(new RegExp(`<details[^>]*>\\s*<summary[^>]*>[^]*?action="${PATH}/${action}"`));
    }
  });
});

describe("renewing a token", () => {
  test("shows the new token, and the old token stops working", async () => {
    const { user, token } = await withToken();
    const answer = await user.post(`${PATH}/renew`, await readRow(user));
    const renewed = readToken(answer);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(await Promise.all([callWith(token), callWith(renewed)])).toEqual([401, 200]);
    expect((await user.get(PATH)).text).toContain("nightly");
  });

  test("resubmitting the form doesn't replace the new token", async () => {
    const { user } = await withToken();
    const row = await readRow(user);
    const renewed = readToken(await user.post(`${PATH}/renew`, row));
    const again = await user.post(`${PATH}/renew`, row);
    expect(again.status).toBe(404);
    expect(again.text).toContain("Nothing was changed");
    expect(again.text).not.toMatch(TOKEN);
    expect(await callWith(renewed)).toBe(200);
  });
});

describe("revoking a token", () => {
  test("invalidates the token and removes it from the list", async () => {
    const { user, token } = await withToken();
    expect(await callWith(token)).toBe(200);
    const answer = await user.post(`${PATH}/revoke`, await readRow(user));
    expect({ status: answer.status, to: answer.headers.get("Location") }).toEqual({
      status: 303,
      to: `${PATH}?done=revoked`,
    });
    expect(await callWith(token)).toBe(401);
    const { text } = await user.get(`${PATH}?done=revoked`);
    expect(text).toContain("Token revoked");
    expect(text).toContain("No tokens yet");
  });

  test("an unknown result in the URL is not shown", async () => {
    const user = await signUp(server.service.url);
    const { text } = await user.get(`${PATH}?done=%3Cb%3Egone`);
    expect(text).not.toContain("gone");
  });
});

describe("another account's token", () => {
  test.each(["renew", "revoke"])("can't be changed with the %s form", async (action) => {
    const { user, token } = await withToken();
    const row = await readRow(user);
    const other = await withToken("mine");
    const answer = await other.user.post(`${PATH}/${action}`, row);
    const unknown = await other.user.post(`${PATH}/${action}`, { id: "none", prefix: "none" });
    expect(answer.status).toBe(404);
    expect(answer.text).toBe(unknown.text);
    expect(answer.text).not.toMatch(TOKEN);
    expect(await Promise.all([callWith(token), callWith(other.token)])).toEqual([200, 200]);
    expect(await readRow(user)).toEqual(row);
  });

  test("doesn't appear on this account's pages", async () => {
    const { token } = await withToken("a secret job");
    const other = await signUp(server.service.url);
    const { text } = await other.get(PATH);
    expect(text).not.toContain("secret job");
    expect(text).not.toContain(token.slice(0, 8));
  });
});

test.each([PATH, `${PATH}/renew`, `${PATH}/revoke`])("%s refuses forms from other sites", async (path) => {
  const { user, token } = await withToken();
  const row = { ...(await readRow(user)), name: "planted" };
  expect((await user.post(path, row, { Origin: "https://evil.example" })).status).toBe(403);
  expect((await user.post(path, { ...row, [TOKEN_FIELD]: "" }, {})).status).toBe(403);
  expect(await callWith(token)).toBe(200);
  expect((await user.get(PATH)).text).not.toContain("planted");
});

test("a signed-out user is redirected to the sign-in page", async () => {
  const answer = await fetch(new URL(PATH, server.service.url), { redirect: "manual" });
  expect(answer.headers.get("Location")).toBe(`/sign-in?next=${encodeURIComponent(PATH)}`);
});

test.each(["renew", "revoke"])("opening the %s form's URL redirects to the list", async (action) => {
  const user = await signUp(server.service.url);
  expect((await user.get(`${PATH}/${action}`)).headers.get("Location")).toBe(PATH);
});
