import { once } from "node:events";
import { get } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { type FakeDevtools, openFakeDevtools, openRawDevtools } from "./support/fake-devtools.ts";
import {
  type CountedTarget,
  type GatewayRig,
  countedTarget,
  openGatewayRig,
  readToEnd,
  upgradeHead,
} from "./support/gateway-rig.ts";

const KNOWN = "/devtools/browser/known";

let devtools: FakeDevtools;
let target: CountedTarget;
let rig: GatewayRig;
/** Upgrades as the browser saw them. */
let seen: { url: string | undefined; headers: Record<string, unknown> }[];
let browserSides: WebSocket[];

beforeEach(async () => {
  seen = [];
  browserSides = [];
  devtools = await openFakeDevtools((client, { url, headers }) => {
    seen.push({ url, headers });
    browserSides.push(client);
    client.on("message", (data, isBinary) => client.send(data, { binary: isBinary }));
  });
  target = countedTarget(devtools);
  rig = await openGatewayRig(target, {
    pathPrefix: "/rbs",
    publicHost: "browsers.example",
    origins: new Set(["https://app.example"]),
  });
});

afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  await devtools[Symbol.asyncDispose]();
});

/** What comes back to an upgrade request, to its end. */
async function ask(head: string): Promise<{ status: number; headers: string; body: Record<string, unknown> }> {
  const answer = (await readToEnd(rig.send(head))).toString();
  const [headers = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(headers.split(" ")[1]), headers, body: JSON.parse(body) };
}

describe("refusals", () => {
  test.each<[string, string, Record<string, string | undefined>, number, string]>([
    ["an unknown path", "/devtools/page/known", {}, 404, "NotFound"],
    ["a path below the browser's", `${KNOWN}/more`, {}, 404, "NotFound"],
    ["another prefix", `/other${KNOWN}`, {}, 404, "NotFound"],
    ["an unknown browser", "/devtools/browser/unknown", {}, 404, "BrowserNotFound"],
    ["an id in another case", "/devtools/browser/KNOWN", {}, 404, "BrowserNotFound"],
    ["a foreign origin", KNOWN, { Origin: "http://evil.example" }, 403, "Forbidden"],
    ["the origin of a sandboxed page", KNOWN, { Origin: "null" }, 403, "Forbidden"],
    ["another port of this host as origin", KNOWN, { Origin: "http://127.0.0.1:3000" }, 403, "Forbidden"],
    ["an unknown host", KNOWN, { Host: "evil.example" }, 403, "Forbidden"],
    [
      "an unknown host that is its own origin",
      KNOWN,
      { Host: "evil.example", Origin: "http://evil.example" },
      403,
      "Forbidden",
    ],
    ["an old version", KNOWN, { "Sec-WebSocket-Version": "8" }, 426, "UpgradeRequired"],
    ["no version", KNOWN, { "Sec-WebSocket-Version": undefined }, 426, "UpgradeRequired"],
    ["no key", KNOWN, { "Sec-WebSocket-Key": undefined }, 400, "BadRequest"],
    ["no host", KNOWN, { Host: undefined }, 400, "BadRequest"],
  ])("%s is refused before the browser hears of it", async (_, path, headers, status, name) => {
    const { headers: head, ...answer } = await ask(upgradeHead(path, headers));
    expect(answer).toEqual({ status, body: { status, name, message: expect.any(String), requestId: "request-1" } });
    expect(head).toContain("X-Request-Id: request-1");
    expect(head).toContain("Connection: close");
    expect(JSON.stringify(answer.body)).not.toMatch(/known(?! name)/);
    expect([devtools.connections.size, target.joined]).toEqual([0, 0]);
  });

  test("a POST is no upgrade", async () => {
    expect(await ask(upgradeHead(KNOWN).replace("GET", "POST"))).toMatchObject({
      status: 400,
      body: { name: "BadRequest" },
    });
  });

  test("426 names the version that is spoken", async () => {
    expect((await ask(upgradeHead(KNOWN, { "Sec-WebSocket-Version": "8" }))).headers).toContain(
      "Sec-WebSocket-Version: 13",
    );
  });

  test("a refused client that keeps its side open is cut", async () => {
    const client = rig.send(upgradeHead("/nowhere"));
    client.resume();
    await once(client, "end");
    client.write("still here");
    await expect.poll(() => rig.connections(), { timeout: 3000 }).toBe(0);
    client.destroy();
  });

  test("ordinary calls stay with the HTTP server, those that offer another protocol too", async () => {
    for (const headers of [
      {},
      { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" },
    ]) {
      const [response] = await once(get({ port: rig.port, path: KNOWN, headers, agent: false }), "response");
      expect(await readToEnd(response)).toEqual(Buffer.from("plain"));
    }
  });
});

describe("admission", () => {
  test.each<[string, string, Record<string, string>]>([
    ["the bare path", KNOWN, {}],
    ["the deployment's prefix", `/rbs${KNOWN}`, {}],
    ["a prefix and path in another case", "/RBS/DevTools/Browser/known", {}],
    ["a slash at the end and a query", `${KNOWN}/?stealth=1`, {}],
    ["the public host", KNOWN, { Host: "browsers.example:8443" }],
    ["the host the browser was opened under", KNOWN, { Host: "worker.example" }],
    ["localhost", KNOWN, { Host: "localhost:9" }],
    ["its own origin", KNOWN, { Host: "browsers.example", Origin: "https://browsers.example" }],
    ["an origin the operator named", KNOWN, { Origin: "https://app.example" }],
  ])("%s leads to the browser", async (_, path, headers) => {
    const client = rig.send(upgradeHead(path, headers));
    const [answer] = await once(client, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /);
    client.destroy();
    await target.left(1);
  });

  test("the browser hears of the WebSocket only", async () => {
    const headers = {
      Origin: "https://app.example",
      Authorization: "Bearer canary",
      Cookie: "canary=1",
      "X-Forwarded-For": "192.0.2.1",
      "User-Agent": "canary",
      "Sec-WebSocket-Protocol": "cdp",
      "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
    };
    const client = rig.send(upgradeHead(`${KNOWN}?token=canary`, headers));
    await once(client, "data");
    client.destroy();
    expect(seen).toEqual([
      {
        url: "/devtools/browser/own-guid",
        headers: {
          host: "127.0.0.1",
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
          "sec-websocket-protocol": "cdp",
          "sec-websocket-extensions": "permessage-deflate; client_max_window_bits",
        },
      },
    ]);
  });
});

describe("passing on", () => {
  test("messages of any size come through whole, in order, both ways", async () => {
    const client = await rig.openClient();
    const sizes = [0, 1, 125, 126, 65_535, 65_536, 3_000_000, 5];
    const echoed: Buffer[] = [];
    client.on("message", (data: Buffer) => echoed.push(data));
    const all = sizes.map((size, at) => Buffer.alloc(size, at + 1));
    for (const message of all) client.send(message);
    client.close(1000);
    await once(client, "close");
    expect(echoed.map((message) => message.length)).toEqual(sizes);
    expect(Buffer.concat(echoed).equals(Buffer.concat(all))).toBe(true);
  });

  test("what a client sends before its 101 arrives behind the upgrade, in order", async () => {
    const ping = (text: string): Buffer => Buffer.from([0x89, 0x80 | text.length, 0, 0, 0, 0, ...Buffer.from(text)]);
    const client = rig.send(upgradeHead(KNOWN));
    client.write(ping("first"));
    client.write(ping("second"));
    const [one, two] = ["\x8a\x05first", "\x8a\x06second"];
    let answers = "";
    client.on("data", (chunk: Buffer) => (answers += chunk.toString("latin1")));
    while (!answers.includes("second")) await once(client, "data");
    expect(answers).toContain(`\r\n\r\n${one}${two}`);
    client.destroy();
  });

  test("a text after the head of the browser's answer is not lost", async () => {
    await using raw = await openRawDevtools((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 101 Switching");
        setImmediate(() => socket.write(" Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x02hi", "latin1"));
      });
    });
    rig.browsers.set("raw", countedTarget(raw));
    const client = rig.send(upgradeHead("/devtools/browser/raw"));
    let answer = "";
    client.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    while (!answer.includes("hi")) await once(client, "data");
    expect(answer).toBe("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x02hi");
    client.destroy();
    await once(client, "close");
  });
});

describe("a browser that cannot be reached", () => {
  const unreachable: [string, (socket: Socket) => void][] = [
    ["refuses the upgrade", (socket) => socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")],
    ["closes without an answer", (socket) => socket.end()],
    ["does not speak HTTP", (socket) => socket.write("SSH-2.0-OpenSSH\r\n\r\n")],
    ["answers without end", (socket) => socket.write(`HTTP/1.1 101 ${"x".repeat(20_000)}`)],
    ["says nothing", () => {}],
  ];

  test.each(unreachable)("one that %s is answered with 502, and its connection is closed", async (_, answer) => {
    await using raw = await openRawDevtools((socket) => void socket.once("data", () => answer(socket)));
    const rawTarget = countedTarget(raw);
    await using own = await openGatewayRig(rawTarget, { limits: { handshakeMs: 300 } });
    const body = (await readToEnd(own.send(upgradeHead(KNOWN)))).toString();
    expect(body).toMatch(/^HTTP\/1\.1 502 .*"name":"BadGateway"/s);
    expect([rawTarget.joined, own.gateway.clients]).toEqual([0, 0]);
    for (const socket of raw.connections) await once(socket.resume(), "close");
  });

  test("one that takes no connection is answered with 502", async () => {
    rig.browsers.set("nowhere", countedTarget({ path: `${devtools.path}-not` }));
    expect(await ask(upgradeHead("/devtools/browser/nowhere"))).toMatchObject({ status: 502 });
  });

  test("one that ended meanwhile is answered with 404", async () => {
    await using raw = await openRawDevtools((socket) => {
      rig.browsers.delete("ending");
      socket.destroy();
    });
    rig.browsers.set("ending", countedTarget(raw));
    expect(await ask(upgradeHead("/devtools/browser/ending"))).toMatchObject({
      status: 404,
      body: { name: "BrowserNotFound" },
    });
  });

  test("more handshakes at once than allowed are answered with 503", async () => {
    await using raw = await openRawDevtools(() => {});
    const rawTarget = countedTarget(raw);
    await using own = await openGatewayRig(rawTarget, { limits: { maxHandshakes: 1, handshakeMs: 300 } });
    const first = readToEnd(own.send(upgradeHead(KNOWN)));
    const second = readToEnd(own.send(upgradeHead(KNOWN)));
    expect(String(await Promise.race([first, second]))).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 1\r\n/s);
    await Promise.all([first, second]);
  });
});

describe("leaving", () => {
  const ways: [string, (client: WebSocket) => void][] = [
    ["a close frame", (client) => client.close(1000)],
    ["a FIN", (client) => void Reflect.get(client, "_socket").end()],
    ["a reset", (client) => Reflect.get(client, "_socket").resetAndDestroy()],
  ];

  test.each(ways)(
    "a client that goes with %s is counted out once, and its connection to the browser closed",
    async (_, go) => {
      const client = await rig.openClient();
      await expect.poll(() => target.clients.size).toBe(1);
      const closed = once(browserSides[0] as WebSocket, "close");
      client.on("error", () => {});
      go(client);
      await target.left(1);
      await closed;
      await expect.poll(() => rig.gateway.clients).toBe(0);
      expect([devtools.connections.size, target.leaves]).toEqual([0, 1]);
    },
  );

  test("one client's leaving is nothing to the others", async () => {
    const [one, other] = [await rig.openClient(), await rig.openClient()];
    one.terminate();
    await target.left(1);
    other.send("still there");
    expect(String((await once(other, "message"))[0])).toBe("still there");
  });

  test("what a client sent before it left still reaches the browser", async () => {
    const client = await rig.openClient();
    const side = browserSides[0] as WebSocket;
    const heard = once(side, "message");
    client.send("the last word", () => Reflect.get(client, "_socket").end());
    expect(String((await heard)[0])).toBe("the last word");
  });

  test("a client that leaves during the handshake is never counted in, and the browser is let go", async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<Socket>();
    await using raw = await openRawDevtools(resolve);
    const rawTarget = countedTarget(raw);
    rig.browsers.set("slow", rawTarget);
    const client = rig.send(upgradeHead("/devtools/browser/slow"));
    const socket = await arrived;
    client.destroy();
    await once(socket.resume(), "close");
    await expect.poll(() => rig.gateway.clients).toBe(0);
    expect([rawTarget.joined, raw.connections.size]).toEqual([0, 0]);
  });

  test("a client that leaves while the browser is being reached ends the attempt", async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    rig.browsers.set("never", {
      ...countedTarget(devtools),
      connect: (signal) =>
        new Promise((_, reject) => {
          begin();
          signal.addEventListener("abort", () => {
            resolve();
            reject(signal.reason);
          });
        }),
    });
    const client = rig.send(upgradeHead("/devtools/browser/never"));
    await began;
    client.destroy();
    await aborted;
    await expect.poll(() => rig.gateway.clients).toBe(0);
  });
});
