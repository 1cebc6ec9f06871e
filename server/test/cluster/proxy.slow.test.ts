import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import type { ClusterKeys } from "../../src/ports/cluster/cluster-certificates.ts";
import { openAuthority } from "../support/proxies/authority.ts";
import { startCluster } from "../support/servers/deployment.ts";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { freePort } from "../support/machine/free-port.ts";
import { type Postgres, startPostgres } from "../support/databases/postgres.ts";
import type { RealServer } from "../support/servers/real-server.ts";
import { openReverseProxy } from "../support/proxies/reverse-proxy.ts";
import { until } from "../support/until.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres({ max_connections: 60 });
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
});

/** Returns the status and body of a rejected WebSocket upgrade. */
async function refusal(
  address: string,
  options: ClientOptions = {},
): Promise<{ status: number | undefined; body: string }> {
  const client = new WebSocket(address, options);
  client.on("error", () => {});
  const [, answer] = await once(client, "unexpected-response");
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode, body: String(Buffer.concat(chunks)) };
}

test("nginx connects clients directly to the worker, and the connections survive when all front-ends are killed", async () => {
  const port = await freePort();
  const all = { RBS_PUBLIC_URL: `http://localhost:${port}`, RBS_TRUSTED_PROXIES: "127.0.0.1" };
  await using cluster = await startCluster(postgres, { fronts: 2, workers: 2 }, { all });
  const fronts = cluster.fronts as [RealServer, RealServer];
  const [one, other] = fronts.map(({ url }) => Number(url.port)) as [number, number];
  await using proxy = await openReverseProxy("nginx in front of a cluster", port, one, other);
  const token = await cluster.newAccount("anna@example.com");
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const post = async (operation: string, body: object): Promise<Record<string, string>> => {
    const options = { method: "POST", headers, body: JSON.stringify(body) };
    return (await (await fetch(`${proxy.url}/api/v1/Browser/${operation}`, options)).json()) as Record<string, string>;
  };

  const { address = "" } = await post("Open", { KeepOpen: 300 });
  expect(address).toMatch(new RegExp(`^ws://localhost:${port}/`));
  const { rfbUrl = "" } = await post("StartRemoteDesktop", { address });
  const client = await connectDevtools(address);
  const viewer = new WebSocket(rfbUrl);
  expect(String((await once(viewer, "message"))[0])).toBe("RFB 003.008\n");

  const ended = Promise.race([client.closed, once(viewer, "close")]).then(() => "ended");

  const key = /[^/]+$/.exec(address)?.[0] ?? "";
  const unknown = address.replace(key, "unknownx".padEnd(key.length, "k"));
  expect(await refusal(unknown)).toMatchObject({ status: 404, body: expect.stringContaining("BrowserNotFound") });
  expect(await refusal(address.replace(key, `${key}x`))).toMatchObject({
    status: 404,
    body: expect.stringContaining("BrowserNotFound"),
  });
  for (const path of ["/cluster/route", "/cluster/%72oute", "//cluster/route"]) {
    const answer = await fetch(proxy.url + path, { headers: { "X-Original-URI": `/devtools/browser/${key}` } });
    expect([path, answer.status, answer.headers.get("X-Worker")]).toEqual([path, 404, null]);
  }

  for (const front of fronts) {
    front.signal("SIGKILL");
    await front.ended;
  }
  viewer.ping();
  const stillOpen = Promise.all([client.command("Browser.getVersion"), once(viewer, "pong")]).then(() => "still open");
  expect(await Promise.race([stillOpen, ended])).toBe("still open");
  viewer.terminate();
  await client[Symbol.asyncDispose]();
}, 300_000);

test("nginx presents a certificate to workers and verifies their certificates", async () => {
  using authority = openAuthority();
  using other = openAuthority();
  const port = await freePort();
  const own = authority.issue("IP:127.0.0.1,DNS:worker");
  const all = { RBS_PUBLIC_URL: `http://localhost:${port}`, RBS_TRUSTED_PROXIES: "127.0.0.1", ...own.settings };
  await using cluster = await startCluster(postgres, { fronts: 1, workers: 1 }, { all });
  const token = await cluster.newAccount("anna@example.com");
  const address = (await cluster.fronts[0]?.open({}, token)) ?? "";
  const open = async (ofNginx: ClusterKeys): Promise<string> => {
    const [front] = cluster.fronts as [RealServer];
    await using _proxy = await openReverseProxy(
      "nginx in front of a cluster",
      port,
      Number(front.url.port),
      undefined,
      {
        keys: ofNginx,
      },
    );
    await using client = await connectDevtools(address);
    expect(await client.command("Browser.getVersion")).toMatchObject({ product: expect.any(String) });
    // Stopping a front-end closes the connections that it relays, but not connections from nginx directly to a worker.
    front.signal("SIGTERM");
    await front.ended;
    return await Promise.race([
      client.closed.then(() => "through a front-end"),
      client.command("Browser.getVersion").then(() => "straight"),
    ]);
  };
  expect(await open(authority.issue("DNS:nginx").files)).toBe("straight");
  await cluster.restartFront(0);
  // nginx falls back to a front-end.
  expect(await open({ ...authority.issue("DNS:nginx").files, ca: other.issue("DNS:a").files.ca })).toBe(
    "through a front-end",
  );
}, 300_000);

test("through nginx, connecting to an unreachable worker returns a 503 from a front-end", async () => {
  const port = await freePort();
  const all = { RBS_PUBLIC_URL: `http://localhost:${port}`, RBS_TRUSTED_PROXIES: "127.0.0.1" };
  await using cluster = await startCluster(postgres, { fronts: 1, workers: 1 }, { all });
  const [front] = cluster.fronts as [RealServer];
  const [worker] = cluster.workers as [RealServer];
  await using _proxy = await openReverseProxy("nginx in front of a cluster", port, Number(front.url.port));
  const token = await cluster.newAccount("anna@example.com");
  const address = await front.open({}, token);
  worker.signal("SIGKILL");
  await worker.ended;
  expect(await refusal(address)).toMatchObject({ status: 503, body: expect.stringContaining("BrowserUnavailable") });
}, 300_000);

test("nginx stops using a hung front-end, never retries a POST, and waits longer for Query and for connections", async () => {
  const seen: string[] = [];
  const count = (which: string): number => seen.filter((one) => one === which).length;
  const listenAs = async (name: string, handle: RequestListener): Promise<number> => {
    const server = createServer((request, response) => {
      seen.push(`${name} ${request.method} ${request.url}`);
      handle(request, response);
    });
    server.on("upgrade", (_, socket: Socket) => {
      socket
        .on("error", () => {})
        .write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
      setTimeout(() => socket.end("late"), 3000);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  };
  const hung = await listenAs("hung", (request, response) => {
    // Responds only to the health check that shows that nginx has started.
    if (request.url === "/healthz") response.end();
  });
  const serving = await listenAs("serving", (request, response) => {
    if (request.url === "/cluster/route") response.writeHead(204);
    setTimeout(() => response.end(), request.url?.endsWith("Query") ? 3000 : 0);
  });
  const replaced = { "proxy_read_timeout 2m": "proxy_read_timeout 1s" };
  await using proxy = await openReverseProxy("nginx in front of a cluster", await freePort(), hung, serving, {
    replaced,
  });
  const ask = async (method: string, path: string): Promise<number> =>
    (await fetch(proxy.url + path, { method, ...(method === "POST" && { body: "{}" }) })).status;

  // Each front-end receives half of the requests until two requests have failed.
  const statuses = await Promise.all(Array.from({ length: 4 }, () => ask("POST", "/api/v1/Browser/Open")));
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 504, 504]);
  expect([count("hung POST /api/v1/Browser/Open"), count("serving POST /api/v1/Browser/Open")]).toEqual([2, 2]);
  for (let requests = 0; requests < 20; requests += 1) expect(await ask("POST", "/later")).toBe(200);
  expect([count("hung POST /later"), count("serving POST /later")]).toEqual([0, 20]);

  expect(await ask("POST", "/api/v1/ai/Query")).toBe(200);
  const client = connect(Number(new URL(proxy.url).port), "127.0.0.1");
  client.write("GET /DevTools/Browser/key HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
  expect(await readText(client)).toMatch(/^HTTP\/1\.1 101 [^]*late$/);

  // nginx tries the hung front-end once every ten seconds. A GET is then retried on the other front-end.
  const isTried = async (): Promise<boolean> => {
    expect(await ask("GET", "/page")).toBe(200);
    return count("hung GET /page") > 0;
  };
  await until(isTried, Boolean);
}, 300_000);

test("through nginx, a worker receives the client's host and origin, but no credentials", async () => {
  const { promise: seen, resolve } = Promise.withResolvers<IncomingHttpHeaders>();
  // Acts as both a front-end and a worker.
  const server = createServer((request, response) => {
    if (request.url === "/cluster/route") response.setHeader("X-Worker", `http://127.0.0.1:${upstream}`);
    response.writeHead(request.url === "/cluster/route" ? 204 : 200).end();
  });
  server.on("upgrade", ({ headers }, socket) => {
    resolve(headers);
    socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: upstream } = server.address() as AddressInfo;
  const port = await freePort();
  await using proxy = await openReverseProxy("nginx in front of a cluster", port, upstream);
  const headers = { Cookie: "canary=1", Authorization: "Bearer canary", Origin: "https://app.example" };
  expect((await refusal(`ws://localhost:${port}/devtools/browser/key?a=b`, { headers })).status).toBe(403);
  const { host, origin, upgrade, connection, ...others } = await seen;
  expect([host, origin, upgrade, connection]).toEqual([
    `localhost:${port}`,
    "https://app.example",
    "websocket",
    "upgrade",
  ]);
  expect(JSON.stringify(others)).not.toContain("canary");
  const log = await until(proxy.readLog, (text) => text.includes(" 403 "));
  for (const secret of ["key", "a=b"]) expect(log).not.toContain(secret);
  server.close();
  server.closeAllConnections();
}, 300_000);
