import { inspect } from "node:util";
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from "vitest";
import contract from "../../../openapi/generated/openapi.json" with { type: "json" };
import { type Reaction, fakeFetch, refusal } from "../test/support/fake-fetch.ts";
import { InvalidAnswerError, NotFoundError, RemoteBrowserClient, TimeoutError } from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const EXAMPLES = contract.paths["/api/v1/Browser/Info"].post.responses["200"].content["application/json"].examples;
const OPEN = EXAMPLES.open.value;
const ENDED = EXAMPLES.ended.value;

function clientOf(...reactions: [Reaction, ...Reaction[]]) {
  const fake = fakeFetch(...reactions);
  return { ...fake, client: new RemoteBrowserClient({ url: "http://h", token: "rbs_t", fetch: fake.fetch }) };
}

const success = (body: object): Reaction => ({ status: 200, body });
const waited = (state: string, reason: string | null): Reaction => success({ state, reason });

test("a record's timestamps are dates, and unknown members are omitted", async () => {
  const { client, bodies } = clientOf(success({ ...OPEN, new: 1 }), success(ENDED));
  const { id } = OPEN;
  expect(await client.browser({ id }).info()).toStrictEqual({
    ...OPEN,
    startedOn: new Date(OPEN.startedOn),
    closesOn: new Date(OPEN.closesOn ?? ""),
  });
  expect(await client.browser("a").info()).toMatchObject({ endedOn: new Date(ENDED.endedOn ?? ""), closesOn: null });
  expect(await bodies()).toStrictEqual([{ id }, { address: "a" }]);
});

test("screenshot returns the image's bytes and type", async () => {
  const { client, bodies } = clientOf(success({ type: "image/png", image: "iVBORw0KGgr/AA==", new: 1 }));
  const { id } = OPEN;
  expect(await client.browser({ id }).screenshot()).toStrictEqual({
    type: "image/png",
    image: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0),
  });
  expect(await bodies()).toStrictEqual([{ id }]);
});

test("screenshotImage sends the browser's id, and returns the image's bytes", async () => {
  const image: Reaction = { status: 200, body: "PNG", headers: { "Content-Type": "image/png" } };
  const { client, sent } = clientOf(image, success(OPEN), image);
  const bytes = new TextEncoder().encode("PNG");
  expect(await client.browser({ id: "br_&" }).screenshotImage()).toStrictEqual(bytes);
  expect(await client.browser("a").screenshotImage()).toStrictEqual(bytes);
  const path = "http://h/api/v1/Browser/ScreenshotImage";
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toStrictEqual([
    `GET ${path}?id=br_%26`,
    "POST http://h/api/v1/Browser/Info",
    `GET ${path}?id=${OPEN.id}`,
  ]);
});

test("a screenshot that isn't Base64 is rejected, and the error doesn't quote it", async () => {
  const { client } = clientOf(success({ type: "image/png", image: "cat!" }));
  const error = await client
    .browser("a")
    .screenshot()
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(InvalidAnswerError);
  expect(String(error)).not.toContain("cat!");
});

test("printed records hide the address's id and the password", async () => {
  const { client } = clientOf(success(OPEN));
  const printed = inspect(await client.browser("a").info());
  expect(printed).not.toMatch(/pQ7vK2mX|k7Rw2xQp/);
  expect(printed).toContain(OPEN.id);
});

test("the client uses an opened browser's id to request its record", async () => {
  const { client, bodies } = clientOf(
    success({ status: 200, address: "ws://a", id: OPEN.id }),
    success(OPEN),
    success({ status: 200 }),
  );
  const browser = await client.open();
  expect(browser.id).toBe(OPEN.id);
  await browser.info();
  await browser.close();
  expect(await bodies()).toStrictEqual([{}, { id: OPEN.id }, { address: "ws://a" }]);
});

test("printed handles show the id, but never the address", async () => {
  const { client } = clientOf(success({ status: 200, address: "ws://a/devtools/browser/secret", id: OPEN.id }));
  expect(inspect(await client.open())).toBe(`RemoteBrowser { id: "${OPEN.id}" }`);
  expect(inspect(client.browser({ id: OPEN.id }))).toBe(`BrowserHandle { id: "${OPEN.id}" }`);
  expect(inspect(client.browser("ws://a/devtools/browser/secret"))).toBe("RemoteBrowser {}");
  expect(inspect(client.browser({ id: "ws://a/devtools/browser/secret" }))).not.toContain("secret");
});

test("with a version 1.0 service, browsers have no ids, and new operations reject with NotFoundError", async () => {
  const session = { startedOn: "2026-03-14T09:26:53.589Z", label: null, address: "ws://a", vncpass: null };
  const { client, bodies } = clientOf(
    success({ status: 200, address: "ws://a" }),
    success({ sessions: [session] }),
    refusal("NotFound"),
  );
  expect((await client.open()).id).toBeUndefined();
  const [listed] = await client.list();
  expect(Object.keys(listed ?? {})).toStrictEqual(["startedOn", "label", "address", "vncpass"]);
  await expect(listed?.info()).rejects.toThrow(NotFoundError);
  await expect(listed?.closed()).rejects.toThrow(NotFoundError);
  await expect(client.account()).rejects.toThrow(NotFoundError);
  await expect(client.history().next()).rejects.toThrow(NotFoundError);
  expect((await bodies())[2]).toStrictEqual({ address: "ws://a" });
});

test("a listed session has the methods of a handle", async () => {
  const { client, bodies } = clientOf(success({ sessions: [OPEN] }), success({ status: 200 }));
  const [session] = await client.list();
  await session?.close();
  expect(await bodies()).toStrictEqual([undefined, { address: OPEN.address }]);
});

test("an update sends only the values to change", async () => {
  const { client, bodies } = clientOf(success(OPEN));
  const record = await client.browser({ id: "br_1" }).update({ keepOpen: 600, tags: [], label: undefined });
  expect(record.keepOpen).toBe(300);
  expect(await bodies()).toStrictEqual([{ id: "br_1", keepOpen: 600, tags: [] }]);
  await expect(client.browser("a").update({ KeepOpen: 1 } as never)).rejects.toThrow("Did you mean keepOpen?");
});

test("closed waits until the browser has ended, and returns the reason", async () => {
  const { client, sent, bodies } = clientOf(waited("open", null), waited("later", null), waited("closed", "inactive"));
  const closed = client.browser({ id: "br_1" }).closed();
  await vi.runAllTimersAsync();
  expect(await closed).toBe("inactive");
  expect(await bodies()).toStrictEqual(Array.from({ length: 3 }, () => ({ id: "br_1", seconds: 25 })));
  // The service responded early, so the client paused before sending another request.
  expect(sent.map(({ atMs }) => Math.round(atMs - (sent[0]?.atMs ?? 0)))).toStrictEqual([0, 1000, 2000]);
});

test("one request waits for at most half of the attempt timeout", async () => {
  const { fetch, bodies } = fakeFetch(waited("closed", "requested"));
  await new RemoteBrowserClient({ token: "t", timeoutMs: 4000, fetch }).browser("a").closed();
  expect(await bodies()).toStrictEqual([{ address: "a", seconds: 2 }]);
});

test("closed rejects at its timeout, or when its signal aborts", async () => {
  const { client } = clientOf(waited("open", null));
  const late = client
    .browser("a")
    .closed({ timeoutMs: 2500 })
    .catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await late).toStrictEqual(new TimeoutError("The browser is still open after 2500 ms (`timeoutMs`)."));
  const stop = new AbortController();
  const stopped = client.browser("a").closed({ signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
});

test("iterating over the history requests one page at a time", async () => {
  const part = (browsers: object[], next: string | null): Reaction => success({ browsers, next, keptSince: null });
  const { client, sent, bodies } = clientOf(part([OPEN], "c1"), part([], "c2"), part([ENDED], null));
  const since = new Date("2026-03-09T00:00:00Z");
  const states: string[] = [];
  for await (const { state } of client.history({ since, tag: "nightly" })) {
    states.push(state);
    expect(sent.length).toBe(state === "open" ? 1 : 3);
  }
  expect(states).toStrictEqual(["open", "closed"]);
  const request = { since: since.toISOString(), tag: "nightly" };
  expect(await bodies()).toStrictEqual([null, "c1", "c2"].map((cursor) => ({ ...request, cursor })));
  await expect(client.history({ since: new Date("?") }).next()).rejects.toThrow("`since` is an invalid date.");
});

test("closeAll sends its filter, and returns how many browsers were closed", async () => {
  const { client, bodies } = clientOf(success({ closed: 3 }));
  for (const selection of [{ label: "a" }, { tag: "b" }, { all: true }] as const) {
    expect(await client.closeAll(selection)).toBe(3);
  }
  expect(await bodies()).toStrictEqual([{ label: "a" }, { tag: "b" }, { all: true }]);
});

test("account returns the account", async () => {
  const account = contract.paths["/api/v1/Account/Get"].get.responses["200"].content["application/json"].examples;
  const { client } = clientOf(success({ ...account.limited.value, new: 1 }));
  expect(await client.account()).toStrictEqual(account.limited.value);
});

// This code is only type-checked and never runs.
export async function neverCalled(client: RemoteBrowserClient): Promise<void> {
  // @ts-expect-error nothing
  await client.closeAll({});
  // @ts-expect-error two
  await client.closeAll({ label: "a", all: true });
  // @ts-expect-error not all
  await client.closeAll({ all: false });
  // @ts-expect-error the option of Open
  await client.browser("a").update({ KeepOpen: 1 });
  const [session] = await client.list();
  expectTypeOf(session?.tags).toEqualTypeOf<string[] | undefined>();
  expectTypeOf((await client.browser({ id: "i" }).info()).state).toEqualTypeOf<string>();
}
