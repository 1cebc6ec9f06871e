import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools, readRefusal } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startServer({
    settings: {
      RBS_ORIGINS: "https://app.example,http://localhost:3000",
      RBS_PUBLIC_URL: "https://browsers.example/rbs",
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Returns whether a browser responds at an address. */
async function answers(address: string, headers: Record<string, string> = {}): Promise<boolean> {
  await using client = await connectDevtools(address, { headers });
  const { protocolVersion } = await client.command("Browser.getVersion");
  return protocolVersion === "1.3";
}

test("behind a reverse proxy, addresses begin with the public URL, whether or not the proxy strips the URL's path", async () => {
  const address = await server.open({ Browser: 3 });
  expect(address).toMatch(/^wss:\/\/browsers\.example\/rbs\/devtools\/browser\/[\w-]{22,}$/);
  expect(await server.addresses()).toEqual([address]);
  const { pathname } = new URL(address);
  const local = `ws://${server.url.host}`;
  const headers = { Host: "browsers.example" };
  expect(await answers(local + pathname, headers)).toBe(true);
  expect(await answers(local + pathname.replace("/rbs", ""), headers)).toBe(true);
  for (const Origin of ["https://browsers.example", "http://localhost:3000"]) {
    expect(await answers(local + pathname, { ...headers, Origin })).toBe(true);
  }
  expect(await readRefusal(`${local}/other${pathname}`, { headers })).toMatchObject({ status: 404 });
  expect(await readRefusal(local + pathname, { headers: { Host: "other.example" } })).toMatchObject({ status: 403 });
  await server.close(address);
  await expectNothingHeld(server);
});

test("with an https public URL, responses tell browsers to use only https and not to guess content types", async () => {
  for (const path of ["/healthz", "/api/v1/Browser/Get", "/rbs/dashboard"]) {
    const { headers } = await fetch(new URL(path, server.url), { redirect: "manual" });
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});
