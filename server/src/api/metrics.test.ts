import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, test } from "vitest";
import { startFakeService } from "../../test/support/fake-service.ts";

const TOKEN = "scraper-0123456789";

/** Sends a request with any Host header, which fetch can't. */
async function send(url: URL, headers: Record<string, string>): Promise<{ status: number | undefined }> {
  const sent = request(url, { headers, agent: false }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode };
}

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

  test.each([
    ["a page whose host name resolves to this machine", { Host: "evil.example" }],
    ["a proxy on this machine", { "X-Forwarded-For": "203.0.113.9" }],
  ])("are refused to %s", async (_name, headers) => {
    await using fake = await startFakeService();
    const ask = async (more: Record<string, string>) =>
      (await send(new URL("/metrics", fake.service.url), more)).status;
    expect([await ask(headers), await ask({ Host: "localhost:1" })]).toEqual([401, 200]);
  });

  test("with a token require it on this machine too", async () => {
    expect((await scrape({ RBS_METRICS_TOKEN: TOKEN })).status).toBe(401);
  });
});
