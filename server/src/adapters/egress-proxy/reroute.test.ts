import { once } from "node:events";
import { connect } from "node:net";
import { Server } from "proxy-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import { createEgress } from "./egress.ts";
import {
  ask,
  countHandles,
  expectHandles,
  LOOPBACK,
  openSite,
  openTcp,
  SILENT,
  toProxy,
  tunnel,
} from "./egress.fixtures.ts";

let handles: number;
let stack: AsyncDisposableStack;

beforeEach(() => {
  handles = countHandles();
  stack = new AsyncDisposableStack();
});

afterEach(async () => {
  await stack.disposeAsync();
  await expectHandles(handles);
});

/** A proxy that notes the hosts it is asked for and leads all of them to this machine. */
async function openUpstream(): Promise<{ upstream: UpstreamProxy; hosts: string[] }> {
  const hosts: string[] = [];
  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    prepareRequestFunction: ({ hostname }) => {
      hosts.push(hostname);
      return {
        dnsLookup: ((_name: string, options: { all?: boolean }, callback: (...found: unknown[]) => void) =>
          options.all
            ? callback(null, [{ address: "127.0.0.1", family: 4 }])
            : callback(null, "127.0.0.1", 4)) as never,
      };
    },
  });
  await server.listen();
  stack.defer(() => server.close(true));
  return { upstream: { scheme: "http", host: "127.0.0.1", port: server.port, credentials: undefined }, hosts };
}

async function openWay(upstream: UpstreamProxy | "nowhere" | undefined) {
  const way = stack.use(await createEgress({ policy: "any", log: SILENT }).open(LOOPBACK, upstream));
  return { way, proxy: toProxy(way, LOOPBACK) };
}

test("after a reroute nothing leaves through the proxy of before, by kept connections neither", async () => {
  const [one, other] = [await openUpstream(), await openUpstream()];
  const site = stack.use(await openSite((_request, response) => response.end("page")));
  const { way, proxy } = await openWay(one.upstream);
  // The way keeps a connection to the proxy, and this client one to the way.
  const kept = stack.use(await keptClient(way.port ?? 0));
  await kept.ask(`http://a.example:${site.port}/`);
  expect(one.hosts).toEqual(["a.example"]);
  way.reroute(other.upstream);
  await kept.ask(`http://b.example:${site.port}/`);
  expect((await ask(proxy, `http://c.example:${site.port}/`)).status).toBe(200);
  expect((await tunnel(proxy, `d.example:${site.port}`)).status).toBe(200);
  way.reroute(undefined);
  expect((await ask(proxy, `http://localhost:${site.port}/`)).status).toBe(200);
  expect(one.hosts).toEqual(["a.example"]);
  expect(other.hosts).toEqual(["b.example", "c.example", "d.example"]);
});

test("a way to nowhere lets nothing out, neither requests nor tunnels, until it is rerouted", async () => {
  let visits = 0;
  const site = stack.use(
    await openSite((_request, response) => {
      visits += 1;
      response.end("page");
    }),
  );
  const { way, proxy } = await openWay("nowhere");
  expect((await ask(proxy, `http://localhost:${site.port}/`)).status).toBe(503);
  expect((await tunnel(proxy, `localhost:${site.port}`)).status).toBe(503);
  expect([visits, way.traffic()]).toEqual([0, { sent: 0, received: 0 }]);
  way.reroute(undefined);
  expect((await ask(proxy, `http://localhost:${site.port}/`)).status).toBe(200);
});

test("a reroute cuts tunnels and requests under way, and closes what was kept", async () => {
  const { upstream } = await openUpstream();
  const { way, proxy } = await openWay(upstream);
  const silent = stack.use(await openTcp((socket) => socket.resume()));
  const { socket } = await tunnel(proxy, `a.example:${silent.port}`);
  const left = once(socket, "close");
  const arrived = once(silent.server, "connection");
  const asked = ask(proxy, `http://b.example:${silent.port}/`);
  await arrived;
  way.reroute(undefined);
  await left;
  expect((await asked).status).toBe(595);
});

test("a request under way on a kept connection is not sent again through the proxy of before", async () => {
  let asked = 0;
  const site = stack.use(await openSite((_request, response) => void ((asked += 1) === 1 && response.end("page"))));
  const { upstream, hosts } = await openUpstream();
  const { way, proxy } = await openWay(upstream);
  expect((await ask(proxy, `http://a.example:${site.port}/`)).status).toBe(200);
  const second = ask(proxy, `http://b.example:${site.port}/`);
  await vi.waitFor(() => expect(asked).toBe(2));
  way.reroute(undefined);
  expect((await second).status).toBe(595);
  expect(hosts).toEqual(["a.example", "b.example"]);
});

test("what is on its way to a proxy when another is chosen goes to the other", async () => {
  const site = stack.use(await openSite((_request, response) => response.end("page")));
  const { upstream, hosts } = await openUpstream();
  const silent = stack.use(await openTcp((socket) => socket.resume()));
  const { way, proxy } = await openWay({ ...upstream, port: silent.port });
  const arrived = once(silent.server, "connection");
  const tunnelling = tunnel(proxy, `a.example:${site.port}`);
  await arrived;
  way.reroute(upstream);
  expect((await tunnelling).status).toBe(200);
  expect(hosts).toEqual(["a.example"]);
});

test("a request whose proxy is still being looked up goes to the next one", async () => {
  const site = stack.use(await openSite((_request, response) => response.end("page")));
  const { upstream, hosts } = await openUpstream();
  const found = Promise.withResolvers<string[]>();
  const lookup = vi.fn<() => Promise<string[]>>(() => found.promise);
  const egress = createEgress({ policy: "any", log: SILENT, lookup });
  const way = stack.use(await egress.open(LOOPBACK, { ...upstream, host: "proxy.example", port: 1 }));
  const asked = ask(toProxy(way, LOOPBACK), `http://a.example:${site.port}/`);
  await vi.waitFor(() => expect(lookup).toHaveBeenCalledOnce());
  way.reroute(upstream);
  found.resolve(["127.0.0.1"]);
  expect((await asked).status).toBe(200);
  expect(hosts).toEqual(["a.example"]);
});

test("traffic is counted over reroutes", async () => {
  const echo = stack.use(await openTcp((socket) => socket.on("data", () => socket.write("12345"))));
  const { way, proxy } = await openWay(undefined);
  for (const total of [1, 2, 3]) {
    const { socket } = await tunnel(proxy, `127.0.0.1:${echo.port}`);
    socket.write("123");
    await once(socket, "data");
    expect(way.traffic()).toEqual({ sent: 3 * total, received: 5 * total });
    way.reroute(undefined);
    expect(way.traffic()).toEqual({ sent: 3 * total, received: 5 * total });
  }
});

test("a disposed way is not opened again by a reroute, and what was under way is not sent on", async () => {
  const { upstream, hosts } = await openUpstream();
  const found = Promise.withResolvers<string[]>();
  const lookup = vi.fn<() => Promise<string[]>>(() => found.promise);
  const way = await createEgress({ policy: "any", log: SILENT, lookup }).open(LOOPBACK, undefined);
  const asked = tunnel(toProxy(way, LOOPBACK), "a.example:1").catch(() => "cut");
  await vi.waitFor(() => expect(lookup).toHaveBeenCalledOnce());
  const disposed = way[Symbol.asyncDispose]();
  way.reroute(upstream);
  await disposed;
  way.reroute(upstream);
  found.resolve(["127.0.0.1"]);
  expect(await asked).toBe("cut");
  await expectHandles(handles + 1);
  expect(hosts).toEqual([]);
});

/** A client of a proxy that asks over one connection only. */
async function keptClient(port: number): Promise<AsyncDisposable & { ask(url: string): Promise<void> }> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return {
    async ask(url) {
      socket.write(`GET ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
      let text = "";
      while (!text.endsWith("page") && !text.endsWith("0\r\n\r\n")) text += String((await once(socket, "data"))[0]);
      expect(text).toMatch(/^HTTP\/1.1 200 /);
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}
