import { once } from "node:events";
import { type IncomingMessage, request as newRequest } from "node:http";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, test } from "vitest";
import { CERTIFICATE, KEY } from "../../../../clients/tunnel/test/certificate.fixtures.ts";
import { openSocksServer } from "../../../test/support/proxies/socks-server.ts";
import { openProxy, type TestProxy } from "../../../test/support/proxies/test-proxy.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { EgressOptions } from "./egress.ts";
import {
  PUBLIC_RULES,
  ask,
  askThrough,
  expectNothingHeldAfterEach,
  openEgress,
  openSite,
  openTcp,
  tunnel,
} from "../../../test/support/proxies/egress-rig.ts";

const AWKWARD = { username: "us er@/?#%ü", password: "p:a:s s@/?#%&=+ß" };
const LOGIN = `${AWKWARD.username}:${AWKWARD.password}`;
let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

async function openUpstream(...options: Parameters<typeof openProxy>): Promise<TestProxy> {
  return stack.use(await openProxy(...options));
}

async function openEgressTo(upstream: UpstreamProxy, options: Partial<EgressOptions> = {}) {
  return openEgress(stack, { upstream, connectTimeoutMs: 2_000, ...options });
}

async function openPage(): Promise<number> {
  return stack.use(await openSite((request, response) => response.end(`page ${request.url}`))).port;
}

test.each(["127.0.0.1", "::1", "proxy.example"])(
  "an HTTP proxy at %s forwards pages and tunnels, with any characters in credentials",
  async (host) => {
    const site = await openPage();
    const { port, targets } = await openUpstream(LOGIN, host === "::1" ? { host } : {});
    const { proxy, endpoint } = await openEgressTo(
      { scheme: "http", host, port, credentials: AWKWARD },
      { lookup: async () => ["127.0.0.1"] },
    );
    expect((await ask(endpoint, `http://some.example:${site}/a`)).body.toString()).toBe("page /a");
    const { socket } = await tunnel(endpoint, `Other.example:${site}`);
    expect(await askThrough(socket, "/b")).toBe("page /b");
    expect(targets).toEqual([`GET some.example:${site}`, `CONNECT Other.example:${site}`]);
    expect(proxy.traffic().sent).toBeGreaterThan(100);
  },
);

test("an HTTPS proxy is used over TLS if its certificate is valid", async () => {
  const site = await openPage();
  const { port } = await openUpstream(LOGIN, { tls: { key: KEY, cert: CERTIFICATE } });
  const upstream: UpstreamProxy = { scheme: "https", host: "localhost", port, credentials: AWKWARD };
  const { proxy, endpoint } = await openEgressTo(upstream);
  expect((await tunnel(endpoint, `some.example:${site}`)).status).toBe(599);
  expect((await ask(endpoint, `http://some.example:${site}/`)).status).toBe(599);

  const trusted = getCACertificates("default");
  stack.defer(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, CERTIFICATE]);
  const before = proxy.traffic();
  expect((await ask(endpoint, `http://some.example:${site}/a`)).body.toString()).toBe("page /a");
  const { socket } = await tunnel(endpoint, `some.example:${site}`);
  expect(await askThrough(socket, "/b")).toBe("page /b");
  expect(proxy.traffic().received).toBeGreaterThan(before.received + 500);
});

test.each([undefined, AWKWARD])("a SOCKS5 proxy forwards pages and tunnels with credentials: %j", async (user) => {
  const site = await openPage();
  for (const host of ["127.0.0.1", "::1"]) {
    const { port } = stack.use(await openSocksServer(user, host));
    const { proxy, endpoint } = await openEgressTo({ scheme: "socks5", host, port, credentials: user });
    expect((await ask(endpoint, `http://some.example:${site}/a`)).body.toString()).toBe("page /a");
    for (const target of ["other.example", "127.0.0.1", "[2001:db8::1]"]) {
      const { socket } = await tunnel(endpoint, `${target}:${site}`);
      expect(await askThrough(socket, "/b")).toBe("page /b");
    }
    expect(proxy.traffic().received).toBeGreaterThan(100);
  }
});

test.each(["http", "socks5"] as const)("a wrong or missing password for a %s proxy results in 597", async (scheme) => {
  const right = { username: "u", password: "p" };
  const { port } = scheme === "http" ? await openUpstream("u:p") : stack.use(await openSocksServer(right));
  for (const credentials of [undefined, { username: "u", password: "wrong" }]) {
    const { endpoint } = await openEgressTo({ scheme, host: "127.0.0.1", port, credentials });
    expect((await tunnel(endpoint, "some.example:443")).status).toBe(597);
    expect((await ask(endpoint, "http://some.example/")).status).toBe(597);
  }
});

test.each(["http", "https", "socks5"] as const)("a %s proxy that isn't listening results in 594", async (scheme) => {
  const { port } = await openTcp(() => undefined).then(async (dead) => {
    await dead[Symbol.asyncDispose]();
    return dead;
  });
  const { endpoint } = await openEgressTo({ scheme, host: "127.0.0.1", port, credentials: undefined });
  expect((await tunnel(endpoint, "some.example:443")).status).toBe(594);
  expect((await ask(endpoint, "http://some.example/")).status).toBe(594);
});

test.each(["http", "https", "socks5"] as const)(
  "a tunnel through a %s proxy that doesn't respond times out",
  async (scheme) => {
    const { port } = stack.use(await openTcp((socket) => socket.resume()));
    const { endpoint } = await openEgressTo(
      { scheme, host: "127.0.0.1", port, credentials: undefined },
      { connectTimeoutMs: 50 },
    );
    expect((await tunnel(endpoint, "some.example:443")).status).toBe(504);
  },
);

test.each(["http", "https", "socks5"] as const)(
  "a page from a %s proxy that doesn't respond times out",
  async (scheme) => {
    const { port } = stack.use(await openTcp((socket) => socket.resume()));
    const { endpoint } = await openEgressTo(
      { scheme, host: "127.0.0.1", port, credentials: undefined },
      { connectTimeoutMs: 50 },
    );
    expect((await ask(endpoint, "http://some.example/")).status).toBe(504);
  },
);

test("a proxy that has responded before gets more time for its next response", async () => {
  const site = stack.use(await openSite((request, response) => void (request.url === "/" && response.end())));
  const { port } = await openUpstream();
  const { endpoint } = await openEgressTo(
    { scheme: "http", host: "127.0.0.1", port, credentials: undefined },
    { connectTimeoutMs: 50, answerTimeoutMs: 250 },
  );
  expect((await ask(endpoint, `http://some.example:${site.port}/`)).status).toBe(200);
  const asked = performance.now();
  expect((await ask(endpoint, `http://some.example:${site.port}/never`)).status).toBe(504);
  expect(performance.now() - asked).toBeGreaterThan(200);
});

/** Longer than the time-limited step takes on a busy machine. */
const LIMIT_MS = 1000;

test("partial responses and uploads have no time limit", async () => {
  const site = stack.use(
    await openSite(async (request, response) => {
      const got = (await request.toArray()) as Buffer[];
      response.write(Buffer.concat(got));
      setTimeout(() => response.end(", later"), 2 * LIMIT_MS);
    }),
  );
  const { port } = await openUpstream();
  const { endpoint } = await openEgressTo(
    { scheme: "http", host: "127.0.0.1", port, credentials: undefined },
    { connectTimeoutMs: LIMIT_MS },
  );
  const upload = newRequest({ ...endpoint, method: "PUT", path: `http://some.example:${site.port}/`, agent: false });
  upload.write("now");
  setTimeout(() => upload.end(), 2 * LIMIT_MS);
  const [answer] = (await once(upload, "response")) as [IncomingMessage];
  expect(Buffer.concat((await answer.toArray()) as Buffer[]).toString()).toBe("now, later");
});

test("a proxy that doesn't respond after a slow upload times out", async () => {
  const { port } = stack.use(await openTcp((socket) => socket.resume()));
  const { endpoint } = await openEgressTo(
    { scheme: "http", host: "127.0.0.1", port, credentials: undefined },
    { connectTimeoutMs: 50 },
  );
  const upload = newRequest({ ...endpoint, method: "PUT", path: "http://some.example/", agent: false });
  upload.write("now");
  setTimeout(() => upload.end("then"), 200);
  const [answer] = (await once(upload, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(504);
  answer.resume();
});

test.each(["http", "https", "socks5"] as const)(
  "a %s proxy that hangs up or sends invalid data results in 590 to 599",
  async (scheme) => {
    for (const serve of ["", "nonsense\r\n\r\n", "\x05\xff", "\x05\x00\x05\x01\x00\x01"]) {
      const { port } = stack.use(await openTcp((socket) => socket.once("data", () => socket.end(serve, "latin1"))));
      const { endpoint } = await openEgressTo({ scheme, host: "127.0.0.1", port, credentials: undefined });
      expect((await tunnel(endpoint, "some.example:443")).status).toBeGreaterThanOrEqual(590);
      expect((await ask(endpoint, "http://some.example/")).status).toBeGreaterThanOrEqual(590);
    }
  },
);

test("a tunnel that the proxy refuses fails with 590, and the proxy's own response to a page is relayed", async () => {
  const { port } = await openUpstream(undefined, { forbidden: "forbidden.example" });
  const { endpoint } = await openEgressTo({ scheme: "http", host: "127.0.0.1", port, credentials: undefined });
  expect((await tunnel(endpoint, "forbidden.example:443")).status).toBe(590);
  expect((await ask(endpoint, "http://forbidden.example/")).status).toBe(403);
});

test("a SOCKS5 proxy that can't reach a target results in 590", async () => {
  const refused = "\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00";
  const { port } = stack.use(
    await openTcp((socket) =>
      socket.once("data", () => socket.write("\x05\x00")).on("data", () => socket.end(refused, "latin1")),
    ),
  );
  const { endpoint } = await openEgressTo({ scheme: "socks5", host: "127.0.0.1", port, credentials: undefined });
  expect(await tunnel(endpoint, "some.example:443")).toMatchObject({
    status: 590,
    text: expect.stringContaining("ConnectionRefused"),
  });
  expect((await ask(endpoint, "http://some.example/")).status).toBe(590);
});

test("the page about a failing proxy explains the failure without the proxy's address", async () => {
  const { port } = await openUpstream("u:p");
  const upstream: UpstreamProxy = { scheme: "http", host: "proxy.example", port, credentials: undefined };
  const { endpoint } = await openEgressTo(upstream, { lookup: async () => ["127.0.0.1"] });
  const { headers, body } = await ask(endpoint, "http://some.example/");
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(body.toString()).toContain("<title>Proxy error</title>");
  expect(body.toString()).toMatch(/requires a user name and password/);
  expect(body.toString()).not.toMatch(/proxy\.example/);
});

test("a site's or proxy's name that doesn't resolve results in 593, and a slow lookup in 504", async () => {
  const lost = { lookup: async () => [], connectTimeoutMs: 50 };
  const slow = { lookup: () => new Promise<never>(() => undefined), connectTimeoutMs: 50 };
  for (const [options, status] of [[lost, 593] as const, [slow, 504] as const]) {
    const named: UpstreamProxy = { scheme: "http", host: "proxy.example", port: 1, credentials: undefined };
    for (const upstream of [undefined, named]) {
      const { endpoint } = await openEgress(stack, { upstream, ...options });
      expect((await tunnel(endpoint, "some.example:443")).status).toBe(status);
      expect((await ask(endpoint, "http://some.example/")).status).toBe(status);
    }
  }
});

test("the operator's own proxy may have a private address, but only with the operator's credentials", async () => {
  const site = await openPage();
  const { port } = await openUpstream(LOGIN);
  const own: UpstreamProxy = { scheme: "http", host: "127.0.0.1", port, credentials: AWKWARD };
  const options = { rules: PUBLIC_RULES, operatorProxies: [own], lookup: async () => ["8.8.8.8"] };
  const { endpoint } = await openEgressTo({ ...own, credentials: { ...AWKWARD } }, options);
  expect((await ask(endpoint, `http://some.example:${site}/`)).status).toBe(200);
  const users = await openEgressTo({ ...own, credentials: undefined }, options);
  expect((await ask(users.endpoint, `http://some.example:${site}/`)).status).toBe(403);
});

test.each(["10.1.2.3", "[::ffff:127.0.0.1]", "localhost", "intranet.example"])(
  "browsers can't reach %s behind the operator's own proxy, unless only that proxy resolves names",
  async (host) => {
    const { port } = await openUpstream(LOGIN);
    const own: UpstreamProxy = { scheme: "http", host: "127.0.0.1", port, credentials: AWKWARD };
    const lookup = async (name: string) => (name === "intranet.example" ? ["10.1.2.3"] : []);
    const checked = await openEgressTo(own, { rules: PUBLIC_RULES, operatorProxies: [own], lookup });
    expect((await ask(checked.endpoint, `http://${host}/`)).status).toBe(403);
    expect((await tunnel(checked.endpoint, `${host}:443`)).status).toBe(403);
    const resolvers = [{ ...own, isResolver: true }];
    const { endpoint } = await openEgressTo(own, { rules: PUBLIC_RULES, operatorProxies: resolvers, lookup });
    expect((await tunnel(endpoint, `${host}:443`)).status).not.toBe(403);
  },
);

test("failed requests aren't logged", async () => {
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const { endpoint } = await openEgressTo(
    { scheme: "http", host: "secret.example", port: 1, credentials: AWKWARD },
    { log: { error: write }, lookup: async () => ["127.0.0.1"] },
  );
  await ask(endpoint, "http://canary.example/");
  await tunnel(endpoint, "canary.example:443");
  expect(lines).toEqual([]);
});
