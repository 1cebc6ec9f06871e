import { once } from "node:events";
import { type IncomingMessage, request as newRequest } from "node:http";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type HttpServerOptions, type HttpsServerOptions, RequestError, Server } from "proxy-chain";
import { expect, test } from "vitest";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import { CERTIFICATE, KEY } from "./certificate.fixtures.ts";
import { createEgress, type EgressOptions } from "./egress.ts";
import {
  ask,
  askThrough,
  LOOPBACK,
  openSite,
  openSocks,
  openTcp,
  SILENT,
  toProxy,
  tunnel,
  expectNothingHeldAfterEach,
} from "./egress.fixtures.ts";

const AWKWARD = { username: "us er@/?#%ü", password: "p:a:s s@/?#%&=+ß" };
let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

type Seen = { readonly hostname: string; readonly isHttp: boolean };

/** An HTTP proxy that takes one user and sends every name to loopback. */
async function openProxy(
  user?: typeof AWKWARD,
  host = "127.0.0.1",
  secure: HttpServerOptions | HttpsServerOptions = {},
): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = new Server({
    host,
    port: 0,
    ...secure,
    prepareRequestFunction: ({ username, password, hostname, isHttp }) => {
      seen.push({ hostname, isHttp });
      const isUser = user === undefined || (username === user.username && password === user.password);
      if (hostname === "forbidden.example") throw new RequestError("no", 403);
      return {
        requestAuthentication: !isUser,
        dnsLookup: ((_name: string, options: { all?: boolean }, callback: (...found: unknown[]) => void) =>
          options.all
            ? callback(null, [{ address: "127.0.0.1", family: 4 }])
            : callback(null, "127.0.0.1", 4)) as never,
      };
    },
  });
  await server.listen();
  stack.defer(() => server.close(true));
  return { port: server.port, seen };
}

async function openWay(upstream: UpstreamProxy, options: Partial<EgressOptions> = {}) {
  const egress = createEgress({ policy: "any", log: SILENT, connectTimeoutMs: 2_000, ...options });
  const way = stack.use(await egress.open(LOOPBACK, upstream));
  return { way, proxy: toProxy(way, LOOPBACK) };
}

async function openPage(): Promise<number> {
  return stack.use(await openSite((request, response) => response.end(`page ${request.url}`))).port;
}

test.each(["127.0.0.1", "::1", "proxy.example"])(
  "an HTTP proxy at %s gets pages and tunnels, with credentials of any characters",
  async (host) => {
    const site = await openPage();
    const { port, seen } = await openProxy(AWKWARD, host === "::1" ? host : undefined);
    const { proxy, way } = await openWay(
      { scheme: "http", host, port, credentials: AWKWARD },
      { lookup: async () => ["127.0.0.1"] },
    );
    expect((await ask(proxy, `http://some.example:${site}/a`)).body.toString()).toBe("page /a");
    const { socket } = await tunnel(proxy, `Other.example:${site}`);
    expect(await askThrough(socket, "/b")).toBe("page /b");
    expect(seen).toEqual([
      { hostname: "some.example", isHttp: true },
      { hostname: "Other.example", isHttp: false },
    ]);
    expect(way.traffic().sent).toBeGreaterThan(100);
  },
);

test("an HTTPS proxy is spoken to over TLS, if its certificate is good", async () => {
  const site = await openPage();
  const secure = { serverType: "https", httpsOptions: { key: KEY, cert: CERTIFICATE } } as const;
  const { port } = await openProxy(AWKWARD, "127.0.0.1", secure);
  const upstream: UpstreamProxy = { scheme: "https", host: "proxy.example", port, credentials: AWKWARD };
  const { proxy, way } = await openWay(upstream, { lookup: async () => ["127.0.0.1"] });
  expect((await tunnel(proxy, `some.example:${site}`)).status).toBe(599);
  expect((await ask(proxy, `http://some.example:${site}/`)).status).toBe(599);

  const trusted = getCACertificates("default");
  stack.defer(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, CERTIFICATE]);
  const before = way.traffic();
  expect((await ask(proxy, `http://some.example:${site}/a`)).body.toString()).toBe("page /a");
  const { socket } = await tunnel(proxy, `some.example:${site}`);
  expect(await askThrough(socket, "/b")).toBe("page /b");
  expect(way.traffic().received).toBeGreaterThan(before.received + 500);
});

test.each([undefined, AWKWARD])("a SOCKS5 proxy gets pages and tunnels, credentials: %j", async (user) => {
  const site = await openPage();
  for (const host of ["127.0.0.1", "::1"]) {
    const { port } = stack.use(await openSocks(user, host));
    const { proxy, way } = await openWay({ scheme: "socks5", host, port, credentials: user });
    expect((await ask(proxy, `http://some.example:${site}/a`)).body.toString()).toBe("page /a");
    for (const target of ["other.example", "127.0.0.1", "[2001:db8::1]"]) {
      const { socket } = await tunnel(proxy, `${target}:${site}`);
      expect(await askThrough(socket, "/b")).toBe("page /b");
    }
    expect(way.traffic().received).toBeGreaterThan(100);
  }
});

test.each(["http", "socks5"] as const)("a wrong password for a %s proxy is said to be one", async (scheme) => {
  const right = { username: "u", password: "p" };
  const { port } = scheme === "http" ? await openProxy(right) : stack.use(await openSocks(right));
  for (const credentials of [undefined, { username: "u", password: "wrong" }]) {
    const { proxy } = await openWay({ scheme, host: "127.0.0.1", port, credentials });
    expect((await tunnel(proxy, "some.example:443")).status).toBe(597);
    expect((await ask(proxy, "http://some.example/")).status).toBe(597);
  }
});

test.each(["http", "https", "socks5"] as const)("a dead %s proxy is an answer, not a hang", async (scheme) => {
  const { port } = await openTcp(() => undefined).then(async (dead) => {
    await dead[Symbol.asyncDispose]();
    return dead;
  });
  const { proxy } = await openWay({ scheme, host: "127.0.0.1", port, credentials: undefined });
  expect((await tunnel(proxy, "some.example:443")).status).toBe(594);
  expect((await ask(proxy, "http://some.example/")).status).toBe(594);
});

test.each(["http", "https", "socks5"] as const)("a %s proxy that says nothing is given up in time", async (scheme) => {
  const { port } = stack.use(await openTcp((socket) => socket.resume()));
  const { proxy } = await openWay(
    { scheme, host: "127.0.0.1", port, credentials: undefined },
    { connectTimeoutMs: 50 },
  );
  expect((await tunnel(proxy, "some.example:443")).status).toBe(504);
});

test.each(["http", "https", "socks5"] as const)(
  "a page waits no longer for a %s proxy that says nothing",
  async (scheme) => {
    const { port } = stack.use(await openTcp((socket) => socket.resume()));
    const { proxy } = await openWay(
      { scheme, host: "127.0.0.1", port, credentials: undefined },
      { connectTimeoutMs: 50 },
    );
    expect((await ask(proxy, "http://some.example/")).status).toBe(504);
  },
);

test("a proxy that has answered once may keep a request waiting for longer, yet not for ever", async () => {
  const site = stack.use(await openSite((request, response) => void (request.url === "/" && response.end())));
  const { port } = await openProxy();
  const { proxy } = await openWay(
    { scheme: "http", host: "127.0.0.1", port, credentials: undefined },
    { connectTimeoutMs: 50, answerTimeoutMs: 250 },
  );
  expect((await ask(proxy, `http://some.example:${site.port}/`)).status).toBe(200);
  const asked = performance.now();
  expect((await ask(proxy, `http://some.example:${site.port}/never`)).status).toBe(504);
  expect(performance.now() - asked).toBeGreaterThan(200);
});

test("an answer that has begun, and an upload, take as long as they take", async () => {
  const site = stack.use(
    await openSite(async (request, response) => {
      const got = (await request.toArray()) as Buffer[];
      response.write(Buffer.concat(got));
      setTimeout(() => response.end(", later"), 200);
    }),
  );
  const { port } = await openProxy();
  const { proxy } = await openWay(
    { scheme: "http", host: "127.0.0.1", port, credentials: undefined },
    { connectTimeoutMs: 50 },
  );
  const asking = newRequest({ ...proxy, method: "PUT", path: `http://some.example:${site.port}/`, agent: false });
  asking.write("now");
  setTimeout(() => asking.end(), 200);
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  expect(Buffer.concat((await answer.toArray()) as Buffer[]).toString()).toBe("now, later");
});

test("a proxy that says nothing is given up also when the browser took its time to ask", async () => {
  const { port } = stack.use(await openTcp((socket) => socket.resume()));
  const { proxy } = await openWay(
    { scheme: "http", host: "127.0.0.1", port, credentials: undefined },
    { connectTimeoutMs: 50 },
  );
  const asking = newRequest({ ...proxy, method: "PUT", path: "http://some.example/", agent: false });
  asking.write("now");
  setTimeout(() => asking.end("then"), 200);
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(504);
  answer.resume();
});

test.each(["http", "https", "socks5"] as const)(
  "a %s proxy that hangs up or talks nonsense is an answer",
  async (scheme) => {
    for (const serve of ["", "nonsense\r\n\r\n", "\x05\xff", "\x05\x00\x05\x01\x00\x01"]) {
      const { port } = stack.use(await openTcp((socket) => socket.once("data", () => socket.end(serve, "latin1"))));
      const { proxy } = await openWay({ scheme, host: "127.0.0.1", port, credentials: undefined });
      expect((await tunnel(proxy, "some.example:443")).status).toBeGreaterThanOrEqual(590);
      expect((await ask(proxy, "http://some.example/")).status).toBeGreaterThanOrEqual(590);
    }
  },
);

test("a proxy that refuses a target is an answer", async () => {
  const { port } = await openProxy();
  const { proxy } = await openWay({ scheme: "http", host: "127.0.0.1", port, credentials: undefined });
  expect((await tunnel(proxy, "forbidden.example:443")).status).toBe(590);
  expect((await ask(proxy, "http://forbidden.example/")).status).toBe(403);
});

test("a SOCKS5 proxy that does not reach a target is told from one that fails itself", async () => {
  const refused = "\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00";
  const { port } = stack.use(
    await openTcp((socket) =>
      socket.once("data", () => socket.write("\x05\x00")).on("data", () => socket.end(refused, "latin1")),
    ),
  );
  const { proxy } = await openWay({ scheme: "socks5", host: "127.0.0.1", port, credentials: undefined });
  expect(await tunnel(proxy, "some.example:443")).toMatchObject({
    status: 590,
    text: expect.stringContaining("ConnectionRefused"),
  });
  expect((await ask(proxy, "http://some.example/")).status).toBe(590);
});

test("what is wrong with a proxy is a page that says it, without the proxy's address", async () => {
  const user = { username: "u", password: "p" };
  const { port } = await openProxy(user);
  const upstream: UpstreamProxy = { scheme: "http", host: "proxy.example", port, credentials: undefined };
  const { proxy } = await openWay(upstream, { lookup: async () => ["127.0.0.1"] });
  const { headers, body } = await ask(proxy, "http://some.example/");
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(body.toString()).toContain("<title>Proxy error</title>");
  expect(body.toString()).toMatch(/does not accept the user name and password/);
  expect(body.toString()).not.toMatch(/proxy\.example/);
});

test("a proxy's or a site's name that does not resolve is an answer, and a slow one is given up in time", async () => {
  const lost = { lookup: async () => [], connectTimeoutMs: 50 };
  const slow = { lookup: () => new Promise<never>(() => undefined), connectTimeoutMs: 50 };
  for (const [options, status] of [[lost, 593] as const, [slow, 504] as const]) {
    const named: UpstreamProxy = { scheme: "http", host: "proxy.example", port: 1, credentials: undefined };
    for (const upstream of [undefined, named]) {
      const egress = createEgress({ policy: "any", log: SILENT, ...options });
      const way = stack.use(await egress.open(LOOPBACK, upstream));
      expect((await tunnel(toProxy(way, LOOPBACK), "some.example:443")).status).toBe(status);
      expect((await ask(toProxy(way, LOOPBACK), "http://some.example/")).status).toBe(status);
    }
  }
});

test("the operator's own proxy may stand at a private address; with other credentials it is a user's", async () => {
  const site = await openPage();
  const { port } = await openProxy(AWKWARD);
  const own: UpstreamProxy = { scheme: "http", host: "127.0.0.1", port, credentials: AWKWARD };
  const options = { policy: "public", operatorProxies: [own] } as const;
  const { proxy } = await openWay({ ...own, credentials: { ...AWKWARD } }, options);
  expect((await ask(proxy, `http://some.example:${site}/`)).status).toBe(200);
  const users = await openWay({ ...own, credentials: undefined }, options);
  expect((await ask(users.proxy, `http://some.example:${site}/`)).status).toBe(403);
});

test("no log line is written for what fails on the way", async () => {
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const { proxy } = await openWay(
    { scheme: "http", host: "secret.example", port: 1, credentials: AWKWARD },
    { log: { info: write, warn: write, error: write }, lookup: async () => ["127.0.0.1"] },
  );
  await ask(proxy, "http://canary.example/");
  await tunnel(proxy, "canary.example:443");
  expect(lines).toEqual([]);
});
