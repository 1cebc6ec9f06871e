import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, type Server, connect, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Conduct, type FakeService, openFakeService } from "../test/fake-service.ts";
import { expectSoon } from "../test/expect-soon.ts";
import { type Tunnel, openTunnel } from "./open-tunnel.ts";

const opened: AsyncDisposable[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

async function serve(conduct: Conduct = {}): Promise<FakeService> {
  const service = await openFakeService(conduct);
  opened.push(service);
  return service;
}

async function tunnelTo(address: string, port = 0): Promise<Tunnel> {
  const tunnel = await openTunnel({ address, port });
  opened.push(tunnel);
  return tunnel;
}

/** Listens on a free port, as another program would. */
async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({ [Symbol.asyncDispose]: async () => void server.close() });
  return (server.address() as AddressInfo).port;
}

function failure(name: string, message: RegExp): unknown {
  return expect.objectContaining({ name, message: expect.stringMatching(message) });
}

async function connectThrough({ port }: Tunnel): Promise<WebSocket> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/version`);
  const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, "open");
  return socket;
}

test("a tunnel returns its port and the browser's version", async () => {
  const { address } = await serve();
  const tunnel = await tunnelTo(address);
  expect(tunnel).toMatchObject({ kind: "devtools", port: expect.any(Number), version: "Chrome/156.0.8078.79" });
});

test("the tunnel listens only on the loopback address", async () => {
  const { address } = await serve();
  const { port } = await tunnelTo(address);
  await expect(fetch(`http://127.0.0.2:${port}/json/version`)).rejects.toThrow();
  await expect(fetch(`http://[::1]:${port}/json/version`)).rejects.toThrow();
});

test("data that the client or the server sends together with the handshake isn't lost", async () => {
  const received: string[] = [];
  const { address } = await serve({
    onConnection: (socket) => {
      socket.on("message", (data) => received.push((data as Buffer).toString()));
      socket.send("first message from the server");
    },
  });
  const { port } = await tunnelTo(address);
  const answer = await fetch(`http://127.0.0.1:${port}/json/version`);
  const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
  const { pathname, host } = new URL(webSocketDebuggerUrl);
  const client = connect(port, "127.0.0.1");
  const head = [
    `GET ${pathname} HTTP/1.1`,
    ...[`Host: ${host}`, "Connection: Upgrade", "Upgrade: websocket"],
    ...["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""],
  ].join("\r\n");
  // A masked text frame with five letters (RFC 6455, section 5.2).
  client.write(Buffer.concat([Buffer.from(head), Buffer.from([0x81, 0x85, 0, 0, 0, 0]), Buffer.from("early")]));
  let said = "";
  client.setEncoding("latin1").on("data", (chunk: string) => (said += chunk));
  await expectSoon(() => said.endsWith("first message from the server"), true);
  await expectSoon(() => received.includes("early"), true);
  client.destroy();
});

test("disposing closes all connections at both ends, and can be repeated", async () => {
  const service = await serve();
  const tunnel = await tunnelTo(service.address);
  const clients = await Promise.all([connectThrough(tunnel), connectThrough(tunnel)]);
  const cut = clients.map((client) =>
    once(
      client.on("error", () => {}),
      "close",
    ),
  );
  await expectSoon(() => service.connections.size, 3);
  await tunnel[Symbol.asyncDispose]();
  await tunnel[Symbol.asyncDispose]();
  await Promise.all(cut);
  await expectSoon(() => service.connections.size, 0);
  await expect(fetch(`http://127.0.0.1:${tunnel.port}/json/version`)).rejects.toThrow();
});

test("if a browser closes, the tunnel and its clients receive the reason", async () => {
  const service = await serve();
  const tunnel = await tunnelTo(service.address);
  const client = await connectThrough(tunnel);
  const received = once(client, "close") as Promise<[number, Buffer]>;
  service.end("browser closed: inactive");
  expect(await tunnel.ended).toBe("The browser has closed (browser closed: inactive).");
  expect(String((await received)[1])).toBe("browser closed: inactive");
});

test("a lost connection is restored, and the tunnel stays open", async () => {
  const service = await serve();
  const tunnel = await tunnelTo(service.address);
  service.cut();
  await expectSoon(() => service.handshakes.length, 2);
  await expectSoon(() => service.connections.size, 1);
  const client = await connectThrough(tunnel);
  expect(await Promise.race([tunnel.ended, Promise.resolve("goes on")])).toBe("goes on");
  client.terminate();
});

test("if the browser closes while the connection is lost, the tunnel reports it", async () => {
  const service = await serve();
  const tunnel = await tunnelTo(service.address);
  service.end();
  service.cut();
  expect(await tunnel.ended).toBe("The browser closed while the connection to it was lost.");
});

test("the tunnel reconnects to a server that was briefly unavailable", async () => {
  const service = await serve();
  const tunnel = await tunnelTo(service.address);
  await service[Symbol.asyncDispose]();
  const away = await serve({ port: service.port, refusal: "HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n" });
  await expectSoon(() => away.handshakes.length > 0, true);
  await away[Symbol.asyncDispose]();
  const back = await serve({ port: service.port });
  await expectSoon(() => back.connections.size, 1);
  expect(await Promise.race([tunnel.ended, Promise.resolve("goes on")])).toBe("goes on");
});

test("opening a tunnel to an unknown address fails with NotFound", async () => {
  const { address, rfbUrl } = await serve();
  for (const one of [address, rfbUrl]) {
    const other = one.replace("VJTz5cCMo", "AAAAAAAAA");
    await expect(openTunnel({ address: other, port: 0 })).rejects.toEqual(
      failure("NotFound", /404 BrowserNotFound: No open browser has this address/),
    );
  }
});

test.each<[string, string, RegExp]>([
  ["HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n", "Refused", /refused the connection \(403 Forbidden\)/],
  ["HTTP/1.1 401 Unauthorized\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", "Refused", /401 Unauth/],
  ["HTTP/1.1 301 Moved\r\nLocation: https://x/\r\nConnection: close\r\n\r\n", "Refused", /wss:\/\/ instead of ws:/],
  ["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", "Refused", /200 OK/],
  ["HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n", "Unreachable", /can't connect now \(503/],
  ["SSH-2.0-OpenSSH_9.2\r\n", "Unreachable", /connection to localhost:\d+ failed/],
  ["", "Unreachable", /wss:\/\/ instead of ws:/],
])("if the server responds with %j, opening a tunnel fails with %s", async (refusal, name, message) => {
  const service = await serve({ refusal });
  await expect(openTunnel({ address: service.address, port: 0 })).rejects.toEqual(failure(name, message));
  await expectSoon(() => service.streams.size, 0);
});

test.each<[string, (socket: WebSocket) => void, RegExp]>([
  ["leaves", (socket) => socket.close(1008, "go away"), /go away/],
  [
    "refuses the command",
    (socket) => socket.on("message", () => socket.send('{"id":1,"error":{"message":"no DevTools here"}}')),
    /no DevTools here/,
  ],
])(
  "if a server accepts the connection and %s instead of responding, opening fails with Unreachable and disconnects",
  async (_, act, message) => {
    const service = await serve({ onConnection: (socket) => act(socket.removeAllListeners("message")) });
    await expect(openTunnel({ address: service.address, port: 0 })).rejects.toEqual(failure("Unreachable", message));
    await expectSoon(() => service.connections.size, 0);
  },
);

test("error messages distinguish a closed port, an unknown host and missing TLS", async () => {
  const { address } = await serve();
  const closed = createServer();
  const port = await listen(closed);
  closed.close();
  const path = new URL(address).pathname;
  for (const [base, message] of [
    [`ws://127.0.0.1:${port}`, /Nothing listens on 127.0.0.1:/],
    ["ws://no-such-host.invalid", /The host no-such-host.invalid does not exist/],
    [address.replace("ws://", "wss://").replace(path, ""), /ws:\/\/ instead of wss:/],
  ] as const) {
    await expect(openTunnel({ address: base + path, port: 0 })).rejects.toEqual(failure("Unreachable", message));
  }
});

test("an untrusted certificate is rejected with a hint", async () => {
  const { address } = await serve({ isSecure: true });
  await expect(openTunnel({ address, port: 0 })).rejects.toEqual(failure("Refused", /NODE_EXTRA_CA_CERTS/));
});

test.each(["address", "rfbUrl"] as const)(
  "a port in use is reported, and the server's connection is closed (%s)",
  async (which) => {
    const service = await serve();
    const port = await listen(createHttpServer());
    await expect(openTunnel({ address: service[which], port })).rejects.toEqual(
      failure("PortTaken", new RegExp(`Port ${port} of 127.0.0.1 is in use.*--port`)),
    );
    await expectSoon(() => service.connections.size, 0);
  },
);
