import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { freePort } from "../../../test/support/machine/free-port.ts";
import { openSocksServer } from "../../../test/support/proxies/socks-server.ts";
import { openTinyproxy } from "../../../test/support/proxies/tinyproxy.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import { newProxyProbe } from "./egress.ts";
import {
  ask,
  askThrough,
  expectNothingHeldAfterEach,
  openEgress,
  openSite,
  openTcp,
  tunnel,
} from "../../../test/support/proxies/egress-rig.ts";

const LOGIN = { username: "ann", password: "s3cret" };
const ANYTIME = new AbortController().signal;
let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

type Scheme = "http" | "socks5";

/** Third-party proxies, each with and without credentials. */
const PROGRAMS: [string, Scheme, typeof LOGIN | undefined][] = [
  ["tinyproxy", "http", undefined],
  ["tinyproxy with a password", "http", LOGIN],
  ["a SOCKS5 server", "socks5", undefined],
  ["a SOCKS5 server with a password", "socks5", LOGIN],
];

async function openUpstream(scheme: Scheme, login: typeof LOGIN | undefined): Promise<UpstreamProxy> {
  const { port } = stack.use(await (scheme === "http" ? openTinyproxy(login) : openSocksServer(login)));
  return { scheme, host: "127.0.0.1", port, credentials: login };
}

function digest(body: Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

test.each(PROGRAMS)("through %s, chunked and compressed bodies arrive byte for byte", async (_name, scheme, login) => {
  const { proxy, endpoint } = await openEgress(stack, { upstream: await openUpstream(scheme, login) });
  const sent = randomBytes(1_000_000);
  const compressed = gzipSync(Buffer.concat([sent, sent.subarray(0, 1000)]));
  const site = stack.use(
    await openSite(async (request, response) => {
      const got = Buffer.concat((await request.toArray()) as Buffer[]);
      response.setHeader("x-got", digest(got));
      response.setHeader("content-encoding", "gzip");
      if (request.url === "/length") response.setHeader("content-length", compressed.length);
      for (let at = 0; at < compressed.length; at += 70_000) response.write(compressed.subarray(at, at + 70_000));
      response.end();
    }),
  );
  for (const path of ["/chunked", "/length"]) {
    const headers: Record<string, string> =
      path === "/length" ? { "content-length": String(sent.length) } : { "transfer-encoding": "chunked" };
    const answer = await ask(endpoint, `http://127.0.0.1:${site.port}${path}`, { method: "POST", body: sent, headers });
    expect(answer.headers["x-got"]).toBe(digest(sent));
    expect(digest(answer.body)).toBe(digest(compressed));
  }
  expect(proxy.traffic().sent).toBeGreaterThan(2 * sent.length);
  expect(proxy.traffic().received).toBeGreaterThan(2 * compressed.length);
});

test.each(PROGRAMS)("through %s, 200 concurrent requests are all answered", async (_name, scheme, login) => {
  const { endpoint } = await openEgress(stack, { upstream: await openUpstream(scheme, login) });
  const site = stack.use(await openSite((request, response) => response.end(request.url)));
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      if (index % 2 === 0) return (await ask(endpoint, `http://127.0.0.1:${site.port}/${index}`)).body.toString();
      return askThrough((await tunnel(endpoint, `127.0.0.1:${site.port}`)).socket, `/${index}`);
    }),
  );
  expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => `/${index}`));
});

test.each(PROGRAMS)("through %s, WebSockets work in both directions", async (_name, scheme, login) => {
  const { endpoint } = await openEgress(stack, { upstream: await openUpstream(scheme, login) });
  const site = stack.use(await openSite(() => undefined));
  const sockets = new WebSocketServer({ server: site.server });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data)));
  const { socket } = await tunnel(endpoint, `127.0.0.1:${site.port}`);
  const client = new WebSocket(`ws://127.0.0.1:${site.port}/`, { createConnection: () => socket });
  await once(client, "open");
  const sent = randomBytes(300_000);
  client.send(sent);
  expect(digest((await once(client, "message"))[0] as Buffer)).toBe(digest(sent));
  client.terminate();
});

test.each(["http", "socks5"] as const)(
  "a %s program refuses requests with a wrong password or no password",
  async (scheme) => {
    const upstream = await openUpstream(scheme, LOGIN);
    const probe = newProxyProbe();
    expect(await probe.probe(upstream, ANYTIME)).toBe("serves");
    for (const credentials of [undefined, { ...LOGIN, password: "wrong" }]) {
      const { endpoint } = await openEgress(stack, { upstream: { ...upstream, credentials } });
      expect((await ask(endpoint, "http://127.0.0.1:1/")).status).toBe(597);
      expect((await tunnel(endpoint, "127.0.0.1:1")).status).toBe(597);
      expect(await probe.probe({ ...upstream, credentials }, ANYTIME)).toBe("credentials-refused");
    }
  },
);

test("a site's 401 is relayed, and isn't mistaken for the proxy's response", async () => {
  const { endpoint } = await openEgress(stack, { upstream: await openUpstream("http", LOGIN) });
  const site = stack.use(
    await openSite((_request, response) => response.writeHead(401, { "www-authenticate": "Basic" }).end("who?")),
  );
  for (const _ of [1, 2]) {
    const { status, headers, body } = await ask(endpoint, `http://127.0.0.1:${site.port}/`);
    expect([status, headers["www-authenticate"], body.toString()]).toEqual([401, "Basic", "who?"]);
  }
});

test.each(PROGRAMS)(
  "the probe reports %s as working while it is running, and as unreachable afterwards",
  async (_name, scheme, login) => {
    const upstream = await openUpstream(scheme, login);
    const probe = newProxyProbe();
    expect(await probe.probe(upstream, ANYTIME)).toBe("serves");
    await stack.disposeAsync();
    expect(await probe.probe(upstream, ANYTIME)).toBe("unreachable");
    stack = new AsyncDisposableStack();
  },
);

test.each(["http", "https", "socks5"] as const)(
  "the probe of a %s proxy that doesn't respond times out",
  async (scheme) => {
    const { port, server } = stack.use(await openTcp((socket) => socket.resume()));
    const upstream: UpstreamProxy = { scheme, host: "127.0.0.1", port, credentials: LOGIN };
    expect(await newProxyProbe({ timeoutMs: 50 }).probe(upstream, ANYTIME)).toBe("unreachable");
    const left = new AbortController();
    const arrived = once(server, "connection");
    const probing = newProxyProbe().probe(upstream, left.signal);
    await arrived;
    left.abort();
    await probing;
  },
);

test("the probe reports a server that isn't a proxy, and a name without an address, as unreachable", async () => {
  const { port } = stack.use(await openTcp((socket) => socket.once("data", () => socket.end("SSH-2.0-x\r\n"))));
  const credentials = undefined;
  for (const scheme of ["http", "https", "socks5"] as const) {
    const upstream: UpstreamProxy = { scheme, host: "127.0.0.1", port, credentials };
    expect(await newProxyProbe().probe(upstream, ANYTIME)).toBe("unreachable");
  }
  const nameless: UpstreamProxy = { scheme: "http", host: "proxy.example", port: await freePort(), credentials };
  expect(await newProxyProbe({ lookup: async () => [] }).probe(nameless, ANYTIME)).toBe("unreachable");
});
