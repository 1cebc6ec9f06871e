import { expect, test } from "vitest";
import { createEgress } from "./egress.ts";
import { ask, LOOPBACK, openSite, SILENT, toProxy, tunnel, expectNothingHeldAfterEach } from "./egress.fixtures.ts";

let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

/** A site on loopback that counts its visitors, and a way under the public policy with names of its own. */
async function openBoth(names: Record<string, readonly string[]> = {}) {
  let visitors = 0;
  const site = stack.use(await openSite((_request, response) => response.end("secret")));
  site.server.on("connection", () => (visitors += 1));
  const egress = createEgress({ policy: "public", log: SILENT, lookup: async (name) => names[name] ?? [] });
  const way = stack.use(await egress.open(LOOPBACK, undefined));
  return { port: site.port, proxy: toProxy(way, LOOPBACK), way, visitors: () => visitors };
}

test.each([
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "127.0.0.1.",
  "0.0.0.0",
  "0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "localhost",
  "LOCALHOST.",
  "app.localhost",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "10.0.0.1",
  "100.64.0.1",
  "224.0.0.1",
  "255.255.255.255",
])("%s is refused to pages and to tunnels", async (host) => {
  const { proxy, port, visitors, way } = await openBoth();
  const page = await ask(proxy, `http://${host}:${port}/`);
  expect(page.status).toBe(403);
  const opened = await tunnel(proxy, `${host}:${port}`);
  expect(opened.status).toBe(403);
  expect(opened.text).toMatch(/ is .* address.* RBS_EGRESS=any/);
  expect(visitors()).toBe(0);
  expect(way.traffic()).toEqual({ sent: 0, received: 0 });
});

test("the page says which address is private, and which setting decides it", async () => {
  const { proxy } = await openBoth({ "intranet.example": ["10.1.2.3"] });
  const { headers, body } = await ask(proxy, "http://intranet.example/<b>");
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(body.toString()).toContain("intranet.example is 10.1.2.3, a private address.");
  expect(body.toString()).toContain("<code>RBS_EGRESS=any</code>");
  expect(body.toString()).not.toContain("<b>");
});

test("a name is refused by what it resolves to", async () => {
  const { proxy, port, visitors } = await openBoth({ "rebind.example": ["127.0.0.1", "::1"] });
  expect((await ask(proxy, `http://rebind.example:${port}/`)).status).toBe(403);
  expect((await tunnel(proxy, `Rebind.Example.:${port}`)).status).toBe(403);
  expect(visitors()).toBe(0);
});

test.each([
  ["http", "127.0.0.1"],
  ["https", "localhost"],
  ["socks5", "::1"],
  ["socks5", "sneaky.example"],
] as const)("a user's own %s proxy at %s is refused", async (scheme, host) => {
  const { port, visitors } = await openBoth();
  const lookup = async () => ["127.0.0.1"];
  const egress = createEgress({ policy: "public", log: SILENT, lookup });
  const way = stack.use(await egress.open(LOOPBACK, { scheme, host, port, credentials: undefined }));
  const page = await ask(toProxy(way, LOOPBACK), "http://page.example/");
  expect(page.status).toBe(403);
  expect(page.body.toString()).toContain(`The browser&#39;s proxy, ${host},`);
  expect((await tunnel(toProxy(way, LOOPBACK), "page.example:443")).status).toBe(403);
  expect(visitors()).toBe(0);
});
