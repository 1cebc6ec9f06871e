import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openGatewayRig, readRefusal, upgradeHead } from "../../../test/support/gateway/gateway-rig.ts";
import { BROWSER_PATH, DESKTOP_PATH, openRelayRig, type RelayRig } from "../../../test/support/gateway/relay-rig.ts";
import { until } from "../../../test/support/until.ts";

/** Another accepted spelling of the browser's path. */
const SPELLED = BROWSER_PATH.replace("/devtools/browser/", "/DevTools/Browser/");

const verify = async (): Promise<void> => {};

let rig: RelayRig;

beforeEach(async () => {
  rig = await openRelayRig();
});

afterEach(() => rig[Symbol.asyncDispose]());

test("the worker receives the path, query, host, origin and WebSocket headers unchanged, but no credentials", async () => {
  const seen: string[] = [];
  const REFUSAL =
    "HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nSet-Cookie: x=1\r\nX-Request-Id: theirs\r\n";
  await using _recording = await rig.openRawWorker((socket) => {
    socket.once("data", (head: Buffer) => {
      seen.push(String(head));
      socket.end(`${REFUSAL}Content-Length: 13\r\n\r\n{"name":"No"}`);
    });
  });
  const headers = {
    Host: "Browsers.example:8443",
    Origin: "https://browsers.example:8443",
    Authorization: "Bearer canary",
    "Proxy-Authorization": "Basic canary",
    Cookie: "canary=1",
    "X-Forwarded-For": "192.0.2.1",
    "Sec-WebSocket-Protocol": "binary",
    "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
  };
  const { head, body } = await readRefusal(rig.front.send(upgradeHead(`${SPELLED}/?stealth=1`, headers)));
  const [first, ...lines] = (seen[0] ?? "").trimEnd().split("\r\n");
  expect([first, ...lines.toSorted()]).toEqual([
    `GET ${SPELLED}/?stealth=1 HTTP/1.1`,
    "Connection: Upgrade",
    "Host: Browsers.example:8443",
    "Origin: https://browsers.example:8443",
    "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: binary",
    "Sec-WebSocket-Version: 13",
    "Upgrade: websocket",
    "Via: 1.1 remote-browser-service",
  ]);
  expect(head.split("\r\n").toSorted()).toEqual([
    "Connection: close",
    "Content-Length: 13",
    "Content-Type: application/json",
    "HTTP/1.1 403 Forbidden",
    "X-Request-Id: theirs",
  ]);
  expect(body).toEqual({ name: "No" });
});

test.each<[string, string, Record<string, string>, number, string]>([
  ["an unknown browser", `${BROWSER_PATH}x`, {}, 404, "BrowserNotFound"],
  ["an unknown desktop", DESKTOP_PATH, {}, 404, "NotFound"],
  ["an unknown host", BROWSER_PATH, { Host: "evil.example", Origin: "http://evil.example" }, 403, "Forbidden"],
])("the worker refuses %s", async (_, path, headers, status, name) => {
  expect(await readRefusal(rig.front.send(upgradeHead(path, headers)))).toMatchObject({ status, body: { name } });
});

test("when the worker's limit is reached, the client receives the worker's 503 with Retry-After", async () => {
  await using full = await openGatewayRig(rig.target, { findBrowser: () => rig.target, limits: { maxClients: 0 } });
  rig.workerUrl = new URL(`http://127.0.0.1:${full.port}`);
  const { status, head } = await readRefusal(rig.front.send(upgradeHead(BROWSER_PATH)));
  expect([status, head]).toEqual([503, expect.stringContaining("Retry-After: 1")]);
});

test.each<[string, string, Record<string, string>, number]>([
  ["a foreign origin", BROWSER_PATH, { Origin: "http://evil.example" }, 403],
  ["an old version", BROWSER_PATH, { "Sec-WebSocket-Version": "8" }, 426],
  ["an unknown worker", BROWSER_PATH.replace("worker01", "worker02"), {}, 404],
])("the front-end refuses %s without contacting a worker", async (_, path, headers, status) => {
  const contacts: Socket[] = [];
  await using _raw = await rig.openRawWorker((socket) => void contacts.push(socket.destroy()));
  expect(await readRefusal(rig.front.send(upgradeHead(path, headers)))).toMatchObject({ status });
  expect(contacts).toEqual([]);
});

test("the front-end limits the total number of its connections", async () => {
  await using limited = await rig.openFront({ limits: { maxAll: 1 } });
  const client = await limited.openClient(BROWSER_PATH);
  expect(await readRefusal(limited.send(upgradeHead(BROWSER_PATH)))).toMatchObject({ status: 503 });
  client.close();
  await rig.target.left(1);
});

test("a worker that refuses the connection results in 503 with Retry-After", async () => {
  rig.workerUrl = new URL("http://127.0.0.1:1");
  const { status, head, body } = await readRefusal(rig.front.send(upgradeHead(BROWSER_PATH)));
  expect([status, body["name"], head]).toEqual([503, "BrowserUnavailable", expect.stringContaining("Retry-After: 5")]);
});

test("a worker that isn't reporting results in 503 without being contacted", async () => {
  const contacts: Socket[] = [];
  await using _raw = await rig.openRawWorker((socket) => void contacts.push(socket.destroy()));
  const findWorker = () => ({ id: "worker01", url: rig.workerUrl, isAlive: false, verify });
  await using front = await rig.openFront({ findWorker });
  expect(await readRefusal(front.send(upgradeHead(BROWSER_PATH)))).toMatchObject({
    status: 503,
    body: { name: "BrowserUnavailable" },
  });
  expect(contacts).toEqual([]);
});

test("clients of a newly started worker are connected after the front-end has discovered it", async () => {
  let isKnown = false;
  await using front = await rig.openFront({
    findWorker: () => (isKnown ? { id: "worker01", url: rig.workerUrl, isAlive: true, verify } : undefined),
    refreshWorkers: async () => void (isKnown = true),
  });
  const client = await front.openClient(BROWSER_PATH);
  expect(rig.browserSides).toHaveLength(1);
  client.close();
  await rig.target.left(1);
});

test("if a client leaves while its worker is being looked up, all resources are released", async () => {
  const look = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let isKnown = false;
  await using front = await rig.openFront({
    findWorker: () => (isKnown ? { id: "worker01", url: rig.workerUrl, isAlive: true, verify } : undefined),
    refreshWorkers: () => {
      asked.resolve();
      return look.promise;
    },
  });
  const client = front.send(upgradeHead(BROWSER_PATH));
  await asked.promise;
  client.resetAndDestroy();
  await until(
    () => front.connections(),
    (count) => count === 0,
  );
  isKnown = true;
  look.resolve();
  await until(
    () => front.gateway.clients,
    (count) => count === 0,
  );
  expect(rig.browserSides).toHaveLength(0);
});

test("an address without a worker is refused with 404 after a refresh, or with 503 if the refresh fails", async () => {
  let looks = 0;
  const refreshWorkers = async (): Promise<void> => {
    looks += 1;
    if (looks === 2) throw new Error("The store is unavailable.");
  };
  await using front = await rig.openFront({ findWorker: () => undefined, refreshWorkers });
  for (const expected of [404, 503]) {
    const { status, body } = await readRefusal(front.send(upgradeHead(BROWSER_PATH)));
    expect([status, body["name"]]).toEqual([expected, expected === 404 ? "BrowserNotFound" : "BrowserUnavailable"]);
  }
  // The key is too short for a worker's id.
  await readRefusal(front.send(upgradeHead("/devtools/browser/short")));
  await readRefusal(front.send(upgradeHead(BROWSER_PATH, { Via: "1.1 remote-browser-service" })));
  expect(looks).toBe(2);
});

test.each<[string, (socket: Socket) => void]>([
  ["closes the connection without a response", (socket) => void socket.end()],
  ["doesn't speak HTTP", (socket) => void socket.write("SSH-2.0-OpenSSH\r\n\r\n")],
  ["responds with a page", (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<")],
  [
    "disconnects in the middle of its refusal",
    (socket) => void socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n{"),
  ],
  ["responds with 102 Processing", (socket) => void socket.write("HTTP/1.1 102 Processing\r\n\r\n")],
  ["never finishes its response head", (socket) => void socket.write(`HTTP/1.1 101 ${"x".repeat(1000)}`)],
  [
    "never finishes its refusal",
    (socket) => void socket.write(`HTTP/1.1 404 Not Found\r\nContent-Length: 9999\r\n\r\n${"x".repeat(1000)}`),
  ],
])("a worker that %s results in 503, and its connection is closed", async (_, answer) => {
  await using strict = await rig.openFront({ limits: { handshakeMs: 60_000, maxResponseHeadBytes: 500 } });
  await using _raw = await rig.openRawWorker((socket) => void socket.once("data", () => answer(socket)));
  expect(await readRefusal(strict.send(upgradeHead(BROWSER_PATH)))).toMatchObject({
    status: 503,
    body: { name: "BrowserUnavailable" },
  });
});

test("a worker that doesn't respond in time results in 503, and its connection is closed", async () => {
  await using hasty = await rig.openFront({ limits: { handshakeMs: 300 } });
  await using _silent = await rig.openRawWorker((socket) => void socket.resume());
  expect(await readRefusal(hasty.send(upgradeHead(BROWSER_PATH)))).toMatchObject({
    status: 503,
    body: { name: "BrowserUnavailable" },
  });
});

test("a worker's URL that points back to the front-end results in 404", async () => {
  rig.workerUrl = new URL(`http://127.0.0.1:${rig.front.port}`);
  expect(await readRefusal(rig.front.send(upgradeHead(BROWSER_PATH)))).toMatchObject({
    status: 404,
    body: { name: "BrowserNotFound" },
  });
});

test("a server that doesn't prove that it is the worker receives nothing, and the client receives a 503", async () => {
  let connections = 0;
  await using _wrong = await rig.openRawWorker(() => (connections += 1));
  const reject = (): Promise<void> => Promise.reject(new Error("The server didn't prove that it is the worker."));
  const findWorker = () => ({ id: "worker01", url: rig.workerUrl, isAlive: true, verify: reject });
  await using front = await rig.openFront({ findWorker });
  for (const path of [BROWSER_PATH, DESKTOP_PATH]) {
    expect(await readRefusal(front.send(upgradeHead(path)))).toMatchObject({ status: 503 });
  }
  expect(connections).toBe(0);
});
