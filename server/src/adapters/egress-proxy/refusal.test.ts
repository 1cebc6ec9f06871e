import { expect, test } from "vitest";
import { WEB_PORTS } from "../../domain/network/egress-rules.ts";
import {
  PUBLIC_RULES,
  ask,
  expectNothingHeldAfterEach,
  openEgress,
  openSite,
  readRanges,
  tunnel,
} from "../../../test/support/proxies/egress-rig.ts";

let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

/** Opens a site on loopback that counts its visitors, and a proxy for public addresses that resolves `names`. */
async function openBoth(names: Record<string, readonly string[]> = {}) {
  let visitors = 0;
  const site = stack.use(await openSite((_request, response) => response.end("secret")));
  site.server.on("connection", () => (visitors += 1));
  const lookup = async (name: string) => names[name] ?? [];
  const { proxy, endpoint } = await openEgress(stack, { rules: PUBLIC_RULES, lookup });
  return { port: site.port, endpoint, proxy, visitors: () => visitors };
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
])("%s is refused for pages and tunnels", async (host) => {
  const { endpoint, port, visitors, proxy } = await openBoth();
  const page = await ask(endpoint, `http://${host}:${port}/`);
  expect(page.status).toBe(403);
  const opened = await tunnel(endpoint, `${host}:${port}`);
  expect(opened.status).toBe(403);
  expect(opened.text).toMatch(/ is .* address.* RBS_EGRESS=any/);
  expect(visitors()).toBe(0);
  expect(proxy.traffic()).toEqual({ sent: 0, received: 0 });
});

test("the page shows the private address and the setting that allows it", async () => {
  const { endpoint } = await openBoth({ "intranet.example": ["10.1.2.3"] });
  const { headers, body } = await ask(endpoint, "http://intranet.example/<b>");
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(body.toString()).toContain("intranet.example is 10.1.2.3, a private address.");
  expect(body.toString()).toContain("<code>RBS_EGRESS=any</code>");
  expect(body.toString()).not.toContain("<b>");
});

test("a name that resolves to private addresses is refused", async () => {
  const { endpoint, port, visitors } = await openBoth({ "rebind.example": ["127.0.0.1", "::1"] });
  expect((await ask(endpoint, `http://rebind.example:${port}/`)).status).toBe(403);
  expect((await tunnel(endpoint, `Rebind.Example.:${port}`)).status).toBe(403);
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
  const upstream = { scheme, host, port, credentials: undefined };
  const { endpoint } = await openEgress(stack, { rules: PUBLIC_RULES, lookup, upstream });
  const page = await ask(endpoint, "http://page.example/");
  expect(page.status).toBe(403);
  expect(page.body.toString()).toContain(`The browser&#39;s proxy, ${host},`);
  expect((await tunnel(endpoint, "page.example:443")).status).toBe(403);
  expect(visitors()).toBe(0);
});

test("blocked domains, ports and addresses are refused with an explanation, even for users' proxies", async () => {
  const domains = [{ name: "blocked.example", isAllowed: false }];
  const rules = {
    ...PUBLIC_RULES,
    policy: "any",
    domains,
    ports: WEB_PORTS,
    denied: readRanges("9.9.9.0/24"),
  } as const;
  const upstream = { scheme: "http", host: "proxy.example", port: 3128, credentials: undefined } as const;
  for (const options of [{}, { upstream }]) {
    const { endpoint } = await openEgress(stack, { rules, lookup: async () => [], ...options });
    const read = async (url: string): Promise<string> => (await ask(endpoint, url)).body.toString();
    expect(await read("http://www.blocked.example/")).toContain(
      "The operator of this service blocks www.blocked.example.",
    );
    expect(await read("http://site.example:25/")).toContain("Browsers of this service can&#39;t connect to port 25.");
    expect((await tunnel(endpoint, "blocked.example:443")).status).toBe(403);
    expect((await tunnel(endpoint, "site.example:22")).status).toBe(403);
  }
  const { endpoint } = await openEgress(stack, { rules });
  expect((await ask(endpoint, "http://9.9.9.9/")).body.toString()).toContain(
    "9.9.9.9 is an address that the operator blocks.",
  );
  const mail = await openEgress(stack, { rules, upstream: { ...upstream, port: 25 } });
  expect((await tunnel(mail.endpoint, "site.example:443")).status).toBe(403);
});

test("the number of connections through a browser's proxy is limited", async () => {
  const site = stack.use(await openSite(() => {}));
  const { endpoint } = await openEgress(stack, { maxConnections: 3 });
  const open = (): Promise<{ readonly status: number }> => tunnel(endpoint, `127.0.0.1:${site.port}`);
  const opened = await Promise.all([open(), open(), open()]);
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
  await expect(open()).rejects.toThrow();
});
