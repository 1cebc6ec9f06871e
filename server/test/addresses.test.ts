import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "./support/call.ts";
import { connectDevtools, readRefusal } from "./support/devtools-client.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { type RealServer, startServer } from "./support/real-server.ts";

const SHELL = { Browser: 3 };
const OPERATIONS = ["Close", "StartRemoteDesktop", "StopRemoteDesktop"];

let server: RealServer;
let proxied: RealServer;

beforeAll(async () => {
  [server, proxied] = await Promise.all([
    startServer({ settings: { RBS_ORIGINS: "https://app.example,http://localhost:3000" } }),
    startServer({ settings: { RBS_PUBLIC_URL: "https://browsers.example/rbs" } }),
  ]);
});

afterAll(async () => {
  try {
    await Promise.all([server, proxied].map(expectNothingHeld));
  } finally {
    await Promise.all([server, proxied].map((one) => one[Symbol.asyncDispose]()));
  }
});

/** Whether a browser answers through an address. */
async function answers(address: string, headers: Record<string, string> = {}): Promise<boolean> {
  await using client = await connectDevtools(address, { headers });
  const { protocolVersion } = await client.command("Browser.getVersion");
  return protocolVersion === "1.3";
}

test("another account's address behaves like an unknown address, and Get lists only the account's own", async () => {
  const [mine, other] = [server.token, await server.home.newAccount("other@example.com")];
  const address = await server.open({ ...SHELL, Label: "mine" }, mine);
  const unknown = address.replace(/[^/]+$/, "A".repeat(32));
  expect(await server.addresses(mine)).toEqual([address]);
  expect(await server.addresses(other)).toEqual([]);
  for (const operation of OPERATIONS) {
    const [foreign, never] = await Promise.all(
      [address, unknown].map(async (one) => {
        const { status, body } = await server.post(operation, { address: one }, other);
        return { status, ...body, requestId: "" };
      }),
    );
    expect(foreign).toEqual(never);
    expect(foreign).toMatchObject({ status: 404, name: "BrowserNotFound" });
  }
  expect(await answers(address)).toBe(true);
  await server.close(address, mine);
  for (const operation of OPERATIONS) {
    expect(await server.post(operation, { address }, mine)).toMatchObject({
      status: 404,
      body: { name: "BrowserNotFound" },
    });
  }
});

describe("an upgrade", () => {
  let address: string;

  beforeAll(async () => {
    address = await server.open({ ...SHELL, KeepOpen: 300 });
    return () => server.close(address);
  });

  test.each<[string, Record<string, string>]>([
    ["a foreign origin", { Origin: "https://evil.example" }],
    ["a sandboxed page's origin", { Origin: "null" }],
    ["another port of this machine as origin", { Origin: "http://127.0.0.1:3000" }],
    ["an unknown host", { Host: "evil.example" }],
    ["an unknown host that is its own origin", { Host: "evil.example", Origin: "http://evil.example" }],
  ])("with %s is refused", async (_, headers) => {
    expect(await readRefusal(address, { headers })).toMatchObject({
      status: 403,
      name: "Forbidden",
      requestId: expect.stringMatching(/./),
    });
  });

  test.each<[string, Record<string, string>]>([
    ["an origin of RBS_ORIGINS", { Origin: "https://app.example" }],
    ["another of them", { Origin: "http://localhost:3000" }],
    ["the host localhost", { Host: "localhost" }],
  ])("with %s is accepted", async (_, headers) => {
    expect(await answers(address, headers)).toBe(true);
  });

  test("to an unknown address is refused", async () => {
    const unknown = address.replace(/[^/]+$/, "A".repeat(32));
    expect(await readRefusal(unknown)).toMatchObject({ status: 404, name: "BrowserNotFound" });
  });
});

test("a browser opened via localhost is listed and closed by the same address via 127.0.0.1", async () => {
  const [byName, byNumber] = [new URL(server.url), new URL(server.url)];
  byName.hostname = "localhost";
  byNumber.hostname = "127.0.0.1";
  const opened = await call(byName, "POST", "/api/v1/Browser/Open", server.token, SHELL);
  const address = String(opened.body["address"]);
  expect(address).toMatch(new RegExp(`^ws://localhost:${byName.port}/devtools/browser/[\\w-]{22,}$`));
  const listed = await call(byNumber, "GET", "/api/v1/Browser/Get", server.token);
  expect(listed.body["sessions"]).toMatchObject([{ address }]);
  expect(await answers(address.replace("localhost", "127.0.0.1"))).toBe(true);
  const closed = await call(byNumber, "POST", "/api/v1/Browser/Close", server.token, { address });
  expect(closed).toMatchObject({ status: 200 });
});

test.each<[string, (address: string) => string]>([
  ["without its scheme", (address) => address.replace("ws://", "")],
  ["with another scheme", (address) => address.replace("ws://", "https://")],
  ["with another host and a prefix", (address) => address.replace(/\/\/[^/]+/, "//worker.example/some/prefix")],
  ["with a query", (address) => `${address}?stealth=1`],
])("Close finds a browser by its address %s", async (_, change) => {
  const address = await server.open(SHELL);
  await server.close(change(address));
  expect(await server.addresses()).toEqual([]);
});

test("behind a reverse proxy, addresses begin with the public URL, whether the proxy strips its path or not", async () => {
  const address = await proxied.open(SHELL);
  expect(address).toMatch(/^wss:\/\/browsers\.example\/rbs\/devtools\/browser\/[\w-]{22,}$/);
  expect(await proxied.addresses()).toEqual([address]);
  const { pathname } = new URL(address);
  const local = `ws://${proxied.url.host}`;
  const headers = { Host: "browsers.example" };
  expect(await answers(local + pathname, headers)).toBe(true);
  expect(await answers(local + pathname.replace("/rbs", ""), headers)).toBe(true);
  expect(await answers(local + pathname, { ...headers, Origin: "https://browsers.example" })).toBe(true);
  expect(await readRefusal(`${local}/other${pathname}`, { headers })).toMatchObject({ status: 404 });
  expect(await readRefusal(local + pathname, { headers: { Host: "other.example" } })).toMatchObject({ status: 403 });
  await proxied.close(address);
});
