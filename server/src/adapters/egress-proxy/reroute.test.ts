import { once } from "node:events";
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { openProxy } from "../../../test/support/proxies/test-proxy.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import {
  ask,
  countHandles,
  expectHandles,
  expectNothingHeldAfterEach,
  openEgress,
  openSite,
  openTcp,
  tunnel,
} from "../../../test/support/proxies/egress-rig.ts";

let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

/** Opens an upstream proxy that records the requested targets and connects to this machine. */
async function openUpstream() {
  const { port, targets } = stack.use(await openProxy());
  const upstream: UpstreamProxy = { scheme: "http", host: "127.0.0.1", port, credentials: undefined };
  return { upstream, targets };
}

test("after a reroute, no request uses the previous upstream, not even on pooled connections", async () => {
  const [one, other] = [await openUpstream(), await openUpstream()];
  const site = stack.use(await openSite((_request, response) => response.end("page")));
  const { proxy, endpoint } = await openEgress(stack, { upstream: one.upstream });
  // The proxy keeps its connection to the upstream open, and the client keeps its connection to the proxy open.
  const client = stack.use(await openPooledClient(endpoint.port));
  await client.ask(`http://a.example:${site.port}/`);
  expect(one.targets).toEqual([`GET a.example:${site.port}`]);
  proxy.reroute(other.upstream);
  await client.ask(`http://b.example:${site.port}/`);
  expect((await ask(endpoint, `http://c.example:${site.port}/`)).status).toBe(200);
  expect((await tunnel(endpoint, `d.example:${site.port}`)).status).toBe(200);
  proxy.reroute(undefined);
  expect((await ask(endpoint, `http://localhost:${site.port}/`)).status).toBe(200);
  expect(one.targets).toEqual([`GET a.example:${site.port}`]);
  const asked = ["GET b.example", "GET c.example", "CONNECT d.example"].map((target) => `${target}:${site.port}`);
  expect(other.targets).toEqual(asked);
});

test("a proxy without a route refuses requests and tunnels until it is rerouted", async () => {
  let visits = 0;
  const site = stack.use(
    await openSite((_request, response) => {
      visits += 1;
      response.end("page");
    }),
  );
  const { proxy, endpoint } = await openEgress(stack, { upstream: "nowhere" });
  expect((await ask(endpoint, `http://localhost:${site.port}/`)).status).toBe(503);
  expect((await tunnel(endpoint, `localhost:${site.port}`)).status).toBe(503);
  expect([visits, proxy.traffic()]).toEqual([0, { sent: 0, received: 0 }]);
  proxy.reroute(undefined);
  expect((await ask(endpoint, `http://localhost:${site.port}/`)).status).toBe(200);
});

test("a reroute cuts open tunnels and requests, and closes pooled connections", async () => {
  const { upstream } = await openUpstream();
  const { proxy, endpoint } = await openEgress(stack, { upstream });
  const silent = stack.use(await openTcp((socket) => socket.resume()));
  const { socket } = await tunnel(endpoint, `a.example:${silent.port}`);
  const left = once(socket, "close");
  const arrived = once(silent.server, "connection");
  const asked = ask(endpoint, `http://b.example:${silent.port}/`);
  await arrived;
  proxy.reroute(undefined);
  await left;
  expect((await asked).status).toBe(595);
});

test("an open request on a pooled connection is not sent again through the previous upstream", async () => {
  let asked = 0;
  const site = stack.use(await openSite((_request, response) => void ((asked += 1) === 1 && response.end("page"))));
  const { upstream, targets } = await openUpstream();
  const { proxy, endpoint } = await openEgress(stack, { upstream });
  expect((await ask(endpoint, `http://a.example:${site.port}/`)).status).toBe(200);
  const second = ask(endpoint, `http://b.example:${site.port}/`);
  await vi.waitFor(() => expect(asked).toBe(2));
  proxy.reroute(undefined);
  expect((await second).status).toBe(595);
  expect(targets).toEqual([`GET a.example:${site.port}`, `GET b.example:${site.port}`]);
});

test("a tunnel that is waiting for an upstream during a reroute uses the next upstream", async () => {
  const site = stack.use(await openSite((_request, response) => response.end("page")));
  const { upstream, targets } = await openUpstream();
  const silent = stack.use(await openTcp((socket) => socket.resume()));
  const { proxy, endpoint } = await openEgress(stack, { upstream: { ...upstream, port: silent.port } });
  const arrived = once(silent.server, "connection");
  const tunnelling = tunnel(endpoint, `a.example:${site.port}`);
  await arrived;
  proxy.reroute(upstream);
  expect((await tunnelling).status).toBe(200);
  expect(targets).toEqual([`CONNECT a.example:${site.port}`]);
});

test("a request that waits for an upstream's lookup during a reroute uses the next upstream", async () => {
  const site = stack.use(await openSite((_request, response) => response.end("page")));
  const { upstream, targets } = await openUpstream();
  const found = Promise.withResolvers<string[]>();
  const lookup = vi.fn<() => Promise<string[]>>(() => found.promise);
  const slow: UpstreamProxy = { ...upstream, host: "proxy.example", port: 1 };
  const { proxy, endpoint } = await openEgress(stack, { upstream: slow, lookup });
  const asked = ask(endpoint, `http://a.example:${site.port}/`);
  await vi.waitFor(() => expect(lookup).toHaveBeenCalledOnce());
  proxy.reroute(upstream);
  found.resolve(["127.0.0.1"]);
  expect((await asked).status).toBe(200);
  expect(targets).toEqual([`GET a.example:${site.port}`]);
});

test("traffic is counted across reroutes", async () => {
  const echo = stack.use(await openTcp((socket) => socket.on("data", () => socket.write("12345"))));
  const { proxy, endpoint } = await openEgress(stack);
  for (const total of [1, 2, 3]) {
    const { socket } = await tunnel(endpoint, `127.0.0.1:${echo.port}`);
    socket.write("123");
    await once(socket, "data");
    expect(proxy.traffic()).toEqual({ sent: 3 * total, received: 5 * total });
    proxy.reroute(undefined);
    expect(proxy.traffic()).toEqual({ sent: 3 * total, received: 5 * total });
  }
});

test("a reroute does not reopen a disposed proxy, and pending tunnels are not opened", async () => {
  const { upstream, targets } = await openUpstream();
  const found = Promise.withResolvers<string[]>();
  const lookup = vi.fn<() => Promise<string[]>>(() => found.promise);
  const before = countHandles();
  const { proxy, endpoint } = await openEgress(stack, { lookup });
  const asked = tunnel(endpoint, "a.example:1").catch(() => "cut");
  await vi.waitFor(() => expect(lookup).toHaveBeenCalledOnce());
  proxy[Symbol.dispose]();
  proxy.reroute(upstream);
  found.resolve(["127.0.0.1"]);
  expect(await asked).toBe("cut");
  // The listener remains.
  await expectHandles(before + 1);
  expect(targets).toEqual([]);
});

/** Opens a client that sends all its requests on one connection. */
async function openPooledClient(port: number): Promise<AsyncDisposable & { ask(url: string): Promise<void> }> {
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
