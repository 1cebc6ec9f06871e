import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { startFakeService } from "../../test/support/servers/fake-service.ts";

const TOKEN = "scraper-0123456789";

/** Sends a request with any Host header, which fetch doesn't allow. */
async function send(url: URL, headers: Record<string, string>): Promise<{ status: number | undefined; text: string }> {
  const sent = request(url, { headers, agent: false }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, text: await readText(answer) };
}

/** Sends a request like a proxy that adds no headers, which is nginx's default. */
async function sendOverOldHttp(url: URL): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`GET ${url.pathname} HTTP/1.0\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  return readText(socket);
}

/** Headers that reveal a proxy. */
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
    ["a server that listens on all interfaces", { RBS_HOST: "0.0.0.0" }, "RBS_METRICS_TOKEN"],
  ])(
    "require a token on %s, and the response to a request without one names the setting",
    async (_name, settings, words) => {
      const { status, text } = await scrape(settings);
      expect([status, text]).toEqual([401, expect.stringContaining(words)]);
      const withToken = { ...settings, RBS_METRICS_TOKEN: TOKEN };
      expect((await scrape(withToken)).status).toBe(401);
      expect((await scrape(withToken, { Authorization: "Bearer wrong" })).status).toBe(401);
      expect((await scrape(withToken, { Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    },
  );

  test("are refused to a page whose host name resolves to this machine, and to a local proxy", async () => {
    await using fake = await startFakeService();
    const url = new URL("/metrics", fake.service.url);
    const ask = async (...headers: (readonly [string, string])[]) =>
      [headers[0]?.[0], (await send(url, Object.fromEntries(headers))).status] as const;
    for (const header of [...FORWARDED, ["Host", "evil.example"] as const])
      expect(await ask(header)).toEqual([header[0], 401]);
    expect(await sendOverOldHttp(url)).toContain(" 401 ");
    expect(await ask(["Host", "localhost:1"], ["X-Request-Id", "a"], ["X-Worker", "b"])).toEqual(["Host", 200]);
  });

  test("require a configured token even on this machine", async () => {
    expect((await scrape({ RBS_METRICS_TOKEN: TOKEN })).status).toBe(401);
  });
});

describe("readiness", () => {
  const NUMBERS = { browsers: 0, warm: 0, capacity: expect.any(Number) as number };

  const PUBLIC = { RBS_PUBLIC_URL: "https://browsers.example", RBS_TRUSTED_PROXIES: "127.0.0.1" };
  const WITH_TOKEN = { RBS_METRICS_TOKEN: TOKEN };
  const BEARER = { Authorization: `Bearer ${TOKEN}` };
  const OF_PROXY = { Host: "browsers.example", "X-Forwarded-For": "203.0.113.9" };

  test.each<[string, boolean, Record<string, string>, Record<string, string>]>([
    ["this machine", true, {}, {}],
    ["this machine through a proxy", false, {}, { Host: "localhost", "X-Real-IP": "203.0.113.9" }],
    ["a page whose host name resolves to this machine", false, {}, { Host: "evil.example" }],
    ["this machine, on a server behind a public URL", false, PUBLIC, { Host: "localhost" }],
    ["this machine without the token", false, WITH_TOKEN, { Host: "localhost" }],
    ["this machine with the token", true, WITH_TOKEN, BEARER],
    ["other clients without the token", false, { ...PUBLIC, ...WITH_TOKEN }, OF_PROXY],
    [
      "other clients with a wrong token",
      false,
      { ...PUBLIC, ...WITH_TOKEN },
      { ...OF_PROXY, Authorization: "Bearer wrong" },
    ],
    ["other clients with the token", true, { ...PUBLIC, ...WITH_TOKEN }, { ...OF_PROXY, ...BEARER }],
  ])("is public; its numbers are shown to %s: %s", async (_name, isTold, settings, headers) => {
    await using fake = await startFakeService(settings);
    const { status, text } = await send(new URL("/readyz", fake.service.url), headers);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ status: "ready", ...(isTold && NUMBERS) });
  });
});
