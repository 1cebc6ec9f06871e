import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { RecordingLog } from "../../test/fakes/recording-log.ts";
import { startFakeService } from "../../test/support/fake-service.ts";
import { newServiceApp } from "./app.ts";
import { mountHealth } from "./health.ts";

const TOKEN = "scraper-0123456789";

/** Sends a request with any Host header, which fetch can't. */
async function send(url: URL, headers: Record<string, string>): Promise<{ status: number | undefined; text: string }> {
  const sent = request(url, { headers, agent: false }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, text: await readText(answer) };
}

/** What a proxy shows that adds no header, as nginx does by default. */
async function sendOverOldHttp(url: URL): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`GET ${url.pathname} HTTP/1.0\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  return readText(socket);
}

/** Headers by which proxies show that they forward a request. */
const FORWARDED: readonly (readonly [name: string, value: string])[] = [
  ["Forwarded", "for=203.0.113.9"],
  ["Via", "1.1 proxy"],
  ["X-Forwarded-For", "203.0.113.9"],
  ["X-Forwarded-Proto", "https"],
  ["X-Real-IP", "203.0.113.9"],
  ["X-Client-IP", "203.0.113.9"],
  ["X-Azure-ClientIP", "203.0.113.9"],
  ["True-Client-IP", "203.0.113.9"],
  ["CF-Connecting-IP", "203.0.113.9"],
  ["CDN-Loop", "cloudflare"],
  ["X-Envoy-External-Address", "203.0.113.9"],
  ["X-Amzn-Trace-Id", "Root=1-2"],
  ["X-Original-Host", "browsers.example"],
];

async function scrape(settings: Record<string, string>, headers: Record<string, string> = {}) {
  await using fake = await startFakeService(settings);
  const answer = await fetch(new URL("/metrics", fake.service.url), { headers });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    text: await answer.text(),
    cache: answer.headers.get("cache-control"),
  };
}

describe("metrics", () => {
  test("need no token on a server that only this machine can reach", async () => {
    const { status, type, text, cache } = await scrape({});
    expect([status, type, cache]).toEqual([200, expect.stringContaining("text/plain"), "no-store"]);
    expect(text).toMatch(/^rbs_capacity \d+$/m);
  });

  test.each<[string, Record<string, string>, string]>([
    ["a server behind a public URL", { RBS_PUBLIC_URL: "https://browsers.example" }, "RBS_METRICS_TOKEN"],
    ["a server that listens everywhere", { RBS_HOST: "0.0.0.0" }, "RBS_METRICS_TOKEN"],
  ])("of %s require a token; without one the response names the setting", async (_name, settings, words) => {
    const { status, text } = await scrape(settings);
    expect([status, text]).toEqual([401, expect.stringContaining(words)]);
    const withToken = { ...settings, RBS_METRICS_TOKEN: TOKEN };
    expect((await scrape(withToken)).status).toBe(401);
    expect((await scrape(withToken, { Authorization: "Bearer wrong" })).status).toBe(401);
    expect((await scrape(withToken, { Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  });

  test("are refused to a page whose host name resolves to this machine, and to a proxy on this machine", async () => {
    await using fake = await startFakeService();
    const url = new URL("/metrics", fake.service.url);
    const ask = async (...headers: (readonly [string, string])[]) =>
      [headers[0]?.[0], (await send(url, Object.fromEntries(headers))).status] as const;
    for (const header of [...FORWARDED, ["Host", "evil.example"] as const])
      expect(await ask(header)).toEqual([header[0], 401]);
    expect(await sendOverOldHttp(url)).toContain(" 401 ");
    expect(await ask(["Host", "localhost:1"], ["X-Request-Id", "a"], ["X-Worker", "b"])).toEqual(["Host", 200]);
  });

  test("with a token require it on this machine too", async () => {
    expect((await scrape({ RBS_METRICS_TOKEN: TOKEN })).status).toBe(401);
  });
});

describe("readiness", () => {
  const NUMBERS = { browsers: 0, warm: 0, capacity: expect.any(Number) as number };

  test("is for everybody; its numbers are for this machine and the token of the metrics", async () => {
    const settings = { RBS_PUBLIC_URL: "https://browsers.example", RBS_TRUSTED_PROXIES: "127.0.0.1" };
    await using fake = await startFakeService({ ...settings, RBS_METRICS_TOKEN: TOKEN });
    const ask = async (headers: Record<string, string>): Promise<unknown> => {
      const { status, text } = await send(new URL("/readyz", fake.service.url), headers);
      expect(status).toBe(200);
      return JSON.parse(text);
    };
    const [toStrangers, toOperators] = [{ status: "ready" }, { status: "ready", ...NUMBERS }];
    const ofProxy = { Host: "browsers.example", "X-Forwarded-For": "203.0.113.9" };
    expect(await ask({})).toEqual(toOperators);
    expect(await ask(ofProxy)).toEqual(toStrangers);
    expect(await ask({ Host: "localhost", "X-Real-IP": "203.0.113.9" })).toEqual(toStrangers);
    expect(await ask({ Host: "evil.example" })).toEqual(toStrangers);
    expect(await ask({ ...ofProxy, Authorization: "Bearer wrong" })).toEqual(toStrangers);
    expect(await ask({ ...ofProxy, Authorization: `Bearer ${TOKEN}` })).toEqual(toOperators);
  });

  test.each([
    ["127.0.0.1", true],
    ["::ffff:127.0.0.1", true],
    ["::1", true],
    ["203.0.113.9", false],
    ["::ffff:203.0.113.9", false],
  ])("tells %s its numbers at localhost: %s", async (remoteAddress, isTold) => {
    const app = newServiceApp({
      newRequestId: () => "req_1",
      pathPrefix: "",
      origins: new Set(),
      isHttpsOnly: false,
      log: new RecordingLog(),
    });
    const load = { countOpen: () => 1, pool: { ready: 2 }, capacity: { limit: 3, taken: 1 } };
    mountHealth(app, { ...load, readiness: { check: async () => ({ status: "ready" }) }, token: undefined });
    const incoming = { rawHeaders: [], socket: { remoteAddress }, httpVersion: "1.1" };
    const env = { incoming, outgoing: { setHeader() {} } };
    const answer = await app.request("http://localhost/readyz", {}, env);
    expect(await answer.json()).toEqual({ status: "ready", ...(isTold && { browsers: 1, warm: 2, capacity: 3 }) });
  });
});
