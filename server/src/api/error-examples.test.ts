import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { operations } from "@remote-browser/contract/operations";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Answered, send } from "../../test/support/servers/call.ts";
import { readErrorExamples } from "../../test/support/servers/error-examples.ts";
import { type FakeService, startFakeService } from "../../test/support/servers/fake-service.ts";
import { fails, says } from "../../test/support/provider/provider-reactions.ts";
import { type FakeProvider, type Reaction, openFakeProvider } from "../../test/support/provider/fake-provider.ts";
import { StoreUnavailable } from "../ports/store/store.ts";
import { KeyedOpens, keyInUse } from "../services/admission/keyed-opens.ts";
import { toNoPage } from "../adapters/chromium/running-browser.ts";
import { Screenshots } from "../services/pictures/screenshots.ts";
import { BrowserRecords } from "../services/records/records.ts";
import { FakeHost } from "../adapters/fake-browser/fake-host.ts";
import { inlineThreads } from "../../test/fakes/inline-threads.ts";

const OPEN = operations.openBrowser.path;
const CLOSE = operations.closeBrowser.path;
const GET = operations.getBrowsers.path;
const START = operations.startRemoteDesktop.path;
const QUERY = operations.queryAi.path;
const INFO = operations.getBrowserInfo.path;

let provider: FakeProvider;
let fake: FakeService;
beforeAll(async () => {
  provider = await openFakeProvider();
  const settings = { RBS_CAPACITY: "100", RBS_RATE: "2/60", ...settingsOfProvider() };
  fake = await startFakeService(settings, { threads: inlineThreads });
});
afterAll(async () => {
  await fake[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

function settingsOfProvider(): Record<string, string> {
  return { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: provider.url };
}

/** Sends JSON, with the first account's token by default. */
function post(path: string, body: object, to = fake, token = to.token): Promise<Answered> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return send(new URL(path, to.service.url), "POST", headers, JSON.stringify(body));
}

function postKeyed(key: string, body: object): Promise<Answered> {
  const headers = { Authorization: `Bearer ${fake.token}`, "Content-Type": "application/json", "Idempotency-Key": key };
  return send(new URL(OPEN, fake.service.url), "POST", headers, JSON.stringify(body));
}

/** Sends a request with a raw text body. */
function postText(path: string, body: string, type = "application/json"): Promise<Answered> {
  const headers = { Authorization: `Bearer ${fake.token}`, "Content-Type": type };
  return send(new URL(path, fake.service.url), "POST", headers, body);
}

/** Declares a body's length, and waits for the response without sending the body. */
async function announce(path: string, bytes: number): Promise<Answered> {
  const headers = { Authorization: `Bearer ${fake.token}`, "Content-Length": String(bytes) };
  const sent = request(new URL(path, fake.service.url), { method: "POST", headers, agent: false });
  sent.flushHeaders();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const body = (await json(answer)) as Answered["body"];
  // The server may close the connection first, because it doesn't need the rest of the request.
  sent.on("error", () => {}).destroy();
  return { status: answer.statusCode ?? 0, headers: new Headers(), body };
}

function get(path: string, headers: Readonly<Record<string, string>>): Promise<Answered> {
  return send(new URL(path, fake.service.url), "GET", headers);
}

function query(reaction: Reaction, responseFormat = "text"): Promise<Answered> {
  provider.react(reaction);
  return post(QUERY, { html: "<p>Kettle, 39.90 €</p>", prompt: "What is it, and what does it cost?", responseFormat });
}

/** Sends a request many times, returns the first response, and then releases the other requests. */
async function firstOf(count: number, ask: () => Promise<Answered>, release: () => void): Promise<Answered> {
  const answers = Array.from({ length: count }, ask);
  const first = await Promise.race(answers);
  release();
  await Promise.all(answers);
  return first;
}

const MANY = 20;
const UNKNOWN_ADDRESS = "ws://127.0.0.1:8080/devtools/browser/pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e";

/** Provokes each error. */
const PROVOKED: Readonly<Record<string, () => Promise<Answered>>> = {
  "openBrowser 400 wrongType": () => post(OPEN, { KeepOpen: true }),
  "openBrowser 400 unknownBrowser": () => post(OPEN, { Browser: 1 }),
  "openBrowser 400 refusedArgument": () => post(OPEN, { Args: ["--lang=de", "--remote-debugging-port=9222"] }),
  "openBrowser 400 contradiction": () => post(OPEN, { Language: "de-DE", Args: ["--lang=fr-FR"] }),
  "openBrowser 400 unknownTimeZone": () => post(OPEN, { TimeZone: "Mars/Olympus" }),
  "openBrowser 400 portAsNumber": () => post(OPEN, { proxy: { host: "proxy.example.com", port: 3128 } }),
  "openBrowser 400 disagreeingSpellings": () => post(OPEN, { Headless: true, headless: false }),
  "openBrowser 400 malformed": () => postText(OPEN, '{"KeepOpen": 30,}'),
  "openBrowser 402 noSubscription": async () => post(OPEN, {}, fake, await fake.newAccount()),
  "openBrowser 403 noUnits": async () => post(OPEN, {}, fake, await fake.newAccount({ plan: "self-hosted", units: 0 })),
  async "openBrowser 404 browserLimit"() {
    const token = await fake.newAccount({ plan: "self-hosted", parallel: 3 });
    for (let open = 0; open < 3; open += 1) await post(OPEN, {}, fake, token);
    return post(OPEN, {}, fake, token);
  },
  async "openBrowser 503 full"() {
    await using small = await startFakeService({ RBS_CAPACITY: "1" });
    await post(OPEN, {}, small);
    return await post(OPEN, {}, small, await small.newAccount({ plan: "self-hosted" }));
  },
  async "openBrowser 503 starting"() {
    await using slow = await startFakeService({ RBS_CAPACITY: "100", RBS_LAUNCHES: "1" });
    using open = vi.spyOn(FakeHost.prototype, "launch");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    open.mockImplementationOnce(() => released.then(() => Promise.reject(new Error("The browser never started."))));
    return await firstOf(MANY, () => post(OPEN, {}, slow), release);
  },
  async "openBrowser 503 noProxy"() {
    // No program listens on this port.
    await using stranded = await startFakeService({ RBS_PROXIES: "http://127.0.0.1:1" });
    return await post(OPEN, {}, stranded);
  },
  async "openBrowser 409 inUse"() {
    using open = vi.spyOn(KeyedOpens.prototype, "openOnce");
    open.mockRejectedValueOnce(keyInUse());
    return await postKeyed("k", {});
  },
  async "openBrowser 422 reused"() {
    await postKeyed("one", {});
    return postKeyed("one", { Label: "other" });
  },
  "openBrowser 503 notInstalled": () => post(OPEN, { Browser: 0 }),
  async "startRemoteDesktop 409 headless"() {
    const { address } = (await post(OPEN, { Headless: true })).body;
    return post(START, { address });
  },
  async "PictureUnavailable noPage"() {
    const { id } = (await post(OPEN, {})).body;
    using take = vi.spyOn(Screenshots.prototype, "take");
    take.mockRejectedValueOnce(toNoPage(new Error("The browser has no page.")));
    return await post(operations.takeScreenshot.path, { id });
  },
  "takeScreenshotImage 400 noId": () =>
    get(operations.takeScreenshotImage.path, { Authorization: `Bearer ${fake.token}` }),
  "waitForBrowser 400 tooLong": () => post(operations.waitForBrowser.path, { id: "br_", seconds: 60 }),
  "updateBrowser 400 nothing": () => post(operations.updateBrowser.path, { id: "br_" }),
  "closeAllBrowsers 400 nothing": () => post(operations.closeAllBrowsers.path, {}),
  "getBrowserHistory 400 since": () => post(operations.getBrowserHistory.path, { since: "yesterday" }),
  "queryAi 400 missing": () => post(QUERY, { prompt: "" }),
  "queryAi 400 unknownFormat": () => post(QUERY, { html: "<p>", prompt: "?", responseFormat: "xml" }),
  "queryAi 422 declined": () => query(says("No.", "refusal")),
  "queryAi 502 invalid": () =>
    query(
      says('{"product":"Kettle"}'),
      '{"type":"object","properties":{"product":{"type":"string"},"price":{"type":"number"}},"required":["product","price"]}',
    ),
  async "queryAi 503 noCredential"() {
    await using keyless = await startFakeService();
    return await post(QUERY, { html: "<p>", prompt: "?" }, keyless);
  },
  "queryAi 503 overloaded": () => query(fails(529, "overloaded_error", { "retry-after": "20" })),
  async "queryAi 503 full"() {
    const settings = { RBS_AI_PARALLEL: "1", ...settingsOfProvider() };
    await using busy = await startFakeService(settings, { threads: inlineThreads });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    provider.react(async (response, body) => {
      await released;
      await says("Fine.")(response, body);
    });
    return await firstOf(MANY, () => post(QUERY, { html: "<p>", prompt: "?" }, busy), release);
  },
  "AuthorizationError missing": () => get(GET, {}),
  "AuthorizationError incorrect": () => get(GET, { Authorization: "Bearer wrong" }),
  "BadBrowserReference missing": () => post(CLOSE, {}),
  "BadBrowserReference both": () => post(CLOSE, { address: UNKNOWN_ADDRESS, id: "br_" }),
  "BadBrowserReference empty": () => postText(CLOSE, ""),
  "BrowserNotFound browserNotFound": () => post(CLOSE, { address: UNKNOWN_ADDRESS }),
  "NotFound notFound": () => post("/api/v1/Browser/Opne", {}),
  "MethodNotAllowed methodNotAllowed": () => get(OPEN, {}),
  "PayloadTooLarge browser": () => announce(OPEN, 65_537),
  "PayloadTooLarge query": () => announce(QUERY, 4_194_305),
  "UnsupportedMediaType form": () => postText(OPEN, "KeepOpen=30", "application/x-www-form-urlencoded"),
  async "TooManyRequests tooManyRequests"() {
    const headers = { Authorization: `Bearer ${await fake.newAccount()}` };
    await get(GET, headers);
    await get(GET, headers);
    return get(GET, headers);
  },
  async "Unavailable database"() {
    using find = vi.spyOn(BrowserRecords.prototype, "find");
    find.mockRejectedValueOnce(new StoreUnavailable("The disk is full."));
    return await post(INFO, { id: "br_" });
  },
  async "Unknown unknown"() {
    using open = vi.spyOn(FakeHost.prototype, "launch");
    open.mockRejectedValueOnce(new Error("An unexpected error."));
    return await post(OPEN, {});
  },
};

/** Errors whose messages contain settings or times. */
const VARYING = [
  "openBrowser 403 noUnits",
  "openBrowser 503 full",
  "openBrowser 503 starting",
  "queryAi 503 full",
  "TooManyRequests tooManyRequests",
];

const examples = readErrorExamples();

test("these tests produce every error example in the contract", () => {
  expect(Object.keys(PROVOKED).toSorted()).toEqual([...examples.keys()].toSorted());
});

test.each([...examples])("%s has the response from the contract", async (place, { status, summary, value }) => {
  const answer = await PROVOKED[place]?.();
  const toWords = (body: Readonly<Record<string, unknown>> = {}): object =>
    VARYING.includes(place) ? { ...body, message: String(body["message"]).replaceAll(/\d+/g, "#") } : body;
  expect(toWords(answer?.body)).toEqual({ ...toWords(value), requestId: expect.any(String) });
  expect(answer?.status).toBe(status);
  const retryAfterS = answer?.headers.get("retry-after") ?? null;
  expect(retryAfterS !== null).toBe(status === 429 || summary.includes("with `Retry-After`"));
  const advice = retryAfterS === null ? "" : `try again in ${retryAfterS} s`;
  expect(answer?.body["message"]).toMatch(new RegExp(advice, "i"));
});
