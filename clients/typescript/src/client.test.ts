import { inspect } from "node:util";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { CLOSED, OPENED, type Reaction, SESSIONS, fakeFetch, refusal } from "../test/support/fake-fetch.ts";
import { VERSION } from "./generated/version.ts";
import { BrowserNotFoundError, InvalidAnswerError, RemoteBrowserClient } from "./index.ts";

function clientOf(...reactions: [Reaction, ...Reaction[]]) {
  const fake = fakeFetch(...reactions);
  return { ...fake, client: new RemoteBrowserClient({ url: "http://h/eu/", token: "rbs_t", fetch: fake.fetch }) };
}

test("an Open request without options sends an empty object and the token to a path under the URL's prefix", async () => {
  const { client, sent, bodies } = clientOf(OPENED);
  expect((await client.open()).address).toBe("ws://h/devtools/browser/abc");
  expect(await bodies()).toStrictEqual([{}]);
  const [request] = sent;
  expect([request?.method, request?.url]).toStrictEqual(["POST", "http://h/eu/api/v1/Browser/Open"]);
  expect(request?.headers.get("authorization")).toBe("Bearer rbs_t");
  expect(request?.headers.get("content-type")).toBe("application/json");
  expect(request?.headers.get("user-agent")).toBe(`remote-browser-typescript/${VERSION}`);
});

test("closing twice sends only one request, and closing an ended browser succeeds", async () => {
  const { client, sent } = clientOf(CLOSED);
  const browser = client.browser("a");
  await browser.close();
  await browser.close();
  expect(sent).toHaveLength(1);
  await clientOf(refusal("BrowserNotFound")).client.browser("a").close();
});

test("two concurrent close calls both succeed", async () => {
  const { client, sent } = clientOf(CLOSED, refusal("BrowserNotFound"));
  const browser = client.browser("a");
  await Promise.all([browser.close(), browser.close()]);
  await browser.close();
  expect(sent).toHaveLength(2);
});

test.each(["", " \n", undefined])("the address %j is rejected", (address) => {
  expect(() => clientOf(CLOSED).client.browser(address as string)).toThrow("`address` is empty");
});

test("printed values hide ids and passwords, but JSON includes them", async () => {
  const address = "ws://h/devtools/browser/secret1";
  const session = { startedOn: "2026-03-14T09:26:53.589Z", label: "mine", address, vncpass: "secret2" };
  const desktop = {
    url: "http://h/desktop/secret3#secret2",
    rfbUrl: "ws://h/desktop/secret3/rfb",
    password: "secret4",
    viewPassword: "secret2",
  };
  const { client } = clientOf(
    { status: 200, body: { sessions: [session] } },
    { status: 200, body: { status: 200, ...desktop } },
  );
  const sessions = await client.list();
  const browser = client.browser(address);
  const started = await browser.startDesktop();
  for (const printed of [sessions, started, browser, client].map((one: unknown) => `${inspect(one)} ${String(one)}`)) {
    expect(printed).not.toMatch(/secret|rbs_t/);
  }
  expect(inspect(sessions)).toContain("label: 'mine'");
  expect(JSON.parse(JSON.stringify([sessions[0], started]))).toStrictEqual([session, desktop]);
});

test("a failed close can be retried", async () => {
  const { client, sent } = clientOf(refusal("Unknown"), CLOSED);
  const browser = client.browser("a");
  await expect(browser.close()).rejects.toMatchObject({ name: "Unknown" });
  await browser.close();
  expect(sent).toHaveLength(2);
});

test("all other operations on an ended browser fail", async () => {
  const browser = clientOf(refusal("BrowserNotFound")).client.browser("a");
  await expect(browser.startDesktop()).rejects.toBeInstanceOf(BrowserNotFoundError);
  await expect(browser.stopDesktop()).rejects.toBeInstanceOf(BrowserNotFoundError);
});

test("a list's timestamps are dates, and unknown members are omitted", async () => {
  const session = { startedOn: "2026-03-14T09:26:53.589Z", label: null, address: "ws://a", vncpass: null };
  const { client } = clientOf({ status: 200, body: { sessions: [{ ...session, new: 1 }], new: 1 } });
  const [listed = {}] = await client.list();
  expect(Object.fromEntries(Object.entries(listed))).toStrictEqual({
    ...session,
    startedOn: new Date(session.startedOn),
  });
});

test("a list with an invalid date is rejected", async () => {
  const session = { startedOn: "yesterday", label: null, address: "ws://a", vncpass: null };
  const { client } = clientOf({ status: 200, body: { sessions: [session] } });
  const listing = client.list();
  await expect(listing).rejects.toThrow(InvalidAnswerError);
  await expect(listing).rejects.not.toThrow(/yesterday/);
});

test("a query sends the requested format, and returns the result in that format", async () => {
  const { client, bodies } = clientOf(
    { status: 200, body: { status: 200, response: "text" } },
    { status: 200, body: { status: 200, response: "[1]", value: [1] } },
    { status: 200, body: { status: 200, response: '"4"', value: "4" } },
  );
  expect(await client.query("<p>", "?")).toBe("text");
  expect(await client.query("<p>", "?", "json")).toStrictEqual([1]);
  expect(await client.query("<p>", "?", z.string().transform(Number))).toBe(4);
  const formats = (await bodies()).map((body) => (body as { responseFormat: string }).responseFormat);
  expect(formats.slice(0, 2)).toStrictEqual(["text", "json"]);
  expect(JSON.parse(formats[2] ?? "")).toMatchObject({ type: "string" });
});

test("redirects are not followed", async () => {
  const { client } = clientOf({ status: 302, body: "", headers: { Location: "http://elsewhere/" } });
  await expect(client.list()).rejects.toThrow(
    /redirects to http:\/\/elsewhere, and redirects are not followed.*HTTP 302/,
  );
});

// This code is only type-checked and never runs.
export async function neverCalled(client: RemoteBrowserClient): Promise<void> {
  await client.open({ headless: true, keepOpen: 2.5, browser: "Chrome", proxy: { host: "h", port: "1" } });
  await client.open({ browser: 3, args: ["--a"] as const, label: null, stealth: undefined });
  // @ts-expect-error misspelt
  await client.open({ keepopen: 1 });
  // @ts-expect-error the wire's spelling
  await client.open({ KeepOpen: 1 });
  // @ts-expect-error misspelled member of an option
  await client.open({ proxy: { host: "h", port: "1", user: "u" } });
  // @ts-expect-error must be a string
  await client.open({ proxy: { host: "h", port: 1 } });
  // @ts-expect-error not a kind of browser
  await client.open({ browser: 1 });
  // @ts-expect-error not a kind of browser
  await client.open({ browser: "Firefox" });
  // @ts-expect-error not a setting
  const _settings = new RemoteBrowserClient({ timeout: 1 });
  // @ts-expect-error not a format
  await client.query("<p>", "?", "jsno");

  expectTypeOf(client.query("<p>", "?", "text")).resolves.toEqualTypeOf<string>();
  expectTypeOf(client.query("<p>", "?", "json")).resolves.toEqualTypeOf<unknown>();
  expectTypeOf(client.query("<p>", "?", { type: "number" })).resolves.toEqualTypeOf<unknown>();
  expectTypeOf(client.query("<p>", "?", z.number())).resolves.toEqualTypeOf<number>();
  expectTypeOf(client.query("<p>", "?", z.string().transform(Number))).resolves.toEqualTypeOf<number>();
  expectTypeOf(SESSIONS).not.toBeAny();
}
