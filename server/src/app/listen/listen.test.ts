import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { type Authority, openAuthority } from "../../../test/support/proxies/authority.ts";
import { type FakeDevtools, openFakeDevtools } from "../../../test/support/gateway/fake-devtools.ts";
import { type CountedTarget, countedTarget, openGatewayRig } from "../../../test/support/gateway/gateway-rig.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";
import { callProofs } from "../../adapters/worker-http/call-proofs.ts";
import { newWorkerClient } from "../../adapters/worker-http/worker-client.ts";
import { newServiceApp } from "../../api/app.ts";
import { mountCluster } from "../../cluster/cluster.ts";
import { mountHealth } from "../../api/health.ts";
import { readConfig } from "../../config/config.ts";
import type { ClusterCertificates, ClusterKeys } from "../../ports/cluster/cluster-certificates.ts";
import { ordinaryRights } from "../../ports/rights.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";
import { renderUpgradeRefusal } from "../../gateway/upgrade/refusal.ts";
import { listen, type Listening } from "./listen.ts";

const SECRET = "s".repeat(32);
const KEY = `worker01${"k".repeat(22)}`;

let authority: Authority;
let other: Authority;
let devtools: FakeDevtools;
beforeAll(async () => {
  [authority, other] = [openAuthority(), openAuthority()];
  devtools = await openFakeDevtools((client) => {
    client.on("message", (data, isBinary) => client.send(data, { binary: isBinary }));
  });
});
afterAll(async () => {
  authority[Symbol.dispose]();
  other[Symbol.dispose]();
  await devtools[Symbol.asyncDispose]();
});

let resources: AsyncDisposableStack;
let log: RecordingLog;
let acknowledged: string[];
let target: CountedTarget;
beforeEach(() => {
  resources = new AsyncDisposableStack();
  log = new RecordingLog();
  acknowledged = [];
  target = countedTarget(devtools);
});
afterEach(() => resources.disposeAsync());

/** Starts a worker's listener with renewable certificates. */
async function startWorker(keys: ClusterKeys): Promise<Listening & { renew(to: ClusterKeys): void }> {
  const listeners: (() => void)[] = [];
  let current = keys;
  const certificates: ClusterCertificates = {
    get current() {
      return current;
    },
    onRenewed: (callback) => void listeners.push(callback),
    [Symbol.dispose]: () => {},
  };
  const newRequestId = (): string => "request-1";
  const app = newServiceApp({
    newRequestId,
    pathPrefix: "",
    origins: new Set(),
    isHttpsOnly: false,
    clock: systemClock,
    log,
  });
  const calls: Partial<WorkerCalls> = { acknowledge: async (id) => void acknowledged.push(id) };
  const load = { countOpen: () => 1, pool: { ready: 0 }, capacity: { limit: 2, taken: 1 } };
  const access = { token: undefined, isOpen: false };
  mountHealth(app, { ...load, readiness: { check: async () => ({ status: "ready" }) }, ...access });
  const own = { id: "worker01", instance: "1", url: "" };
  mountCluster(app, calls as WorkerCalls, {
    secrets: [SECRET],
    worker: own,
    proofs: callProofs,
    clock: systemClock,
    log,
  });
  const gateway = {
    findBrowser: (key: string) => (key === KEY ? target : undefined),
    findDesktop: () => undefined,
    findWorker: () => undefined,
    pathPrefix: "",
    publicHost: "localhost",
    origins: new Set<string>(),
    renderRefusal: (refusal: Parameters<typeof renderUpgradeRefusal>[0]) => renderUpgradeRefusal(refusal, "request-1"),
  };
  const needs = { clock: systemClock, rights: ordinaryRights, log, certificates };
  const listening = await listen(readConfig({ RBS_PORT: "0" }), needs, { app, gateway });
  resources.use(listening);
  own.url = listening.url.href;
  return {
    ...listening,
    renew(to) {
      current = to;
      for (const listener of listeners) listener();
    },
  };
}

/** Calls the worker as a front-end with these certificates. */
function call(url: string, keys: ClusterKeys | undefined): Promise<unknown> {
  const certificates = keys && { current: keys };
  const options = { secret: SECRET, certificates, clock: systemClock, readRequestId: () => undefined };
  return resources.use(newWorkerClient(options)).at({ id: "worker01", instance: "1", url }).acknowledge("br_1");
}

/**
 * Connects as a client of a front-end with these certificates.
 * @returns The echoed message, or the status with which the connection was refused.
 */
async function echo(url: string, keys: ClusterKeys | undefined, message: Buffer): Promise<Buffer | number | undefined> {
  const nowhere = countedTarget({ path: "/nowhere" });
  await using front = await openGatewayRig(nowhere, {
    findWorker: () => ({ id: "worker01", url: new URL(url), isAlive: true, keys, verify: async () => {} }),
  });
  // The certificate must match the worker's URL, not the host that a client requests.
  const client = new WebSocket(`ws://127.0.0.1:${front.port}/devtools/browser/${KEY}`, {
    headers: { Host: "localhost" },
  });
  client.on("error", () => {});
  const refused = once(client, "unexpected-response").then(([, answer]) => answer.resume().statusCode as number);
  const opened = once(client, "open").then(async () => {
    client.send(message);
    const [echoed] = await once(client, "message");
    client.close();
    await once(client, "close");
    return echoed as Buffer;
  });
  opened.catch(() => {});
  refused.catch(() => {});
  return await Promise.race([refused, opened]);
}

test("a front-end and a worker with certificates from the same authority can connect", async () => {
  const { url } = await startWorker(authority.issue("IP:127.0.0.1"));
  expect(url.protocol).toBe("https:");
  const front = authority.issue("DNS:front-1");
  await call(url.href, front);
  expect(acknowledged).toEqual(["br_1"]);
  const message = Buffer.alloc(3_000_000, 7);
  expect(Buffer.compare((await echo(url.href, front, message)) as Buffer, message)).toBe(0);
  await target.left(1);
});

test.each<[string, () => ClusterKeys, string, string]>([
  [
    "no certificate",
    () => ({ ...authority.issue("DNS:a"), cert: "", key: "" }),
    "doesn't accept this front-end's certificate (RBS_CLUSTER_CERT_FILE)",
    "peer did not return a certificate",
  ],
  [
    "a certificate from another authority",
    () => ({ ...other.issue("DNS:a"), ca: authority.issue("DNS:a").ca }),
    "its log says so in tls.refused",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ],
  ["an expired certificate", () => authority.issue("DNS:a", -1), "its log says so in tls.refused", "CERT_HAS_EXPIRED"],
])("a worker refuses a front-end with %s before any request", async (_, newKeys, reason, logged) => {
  const { url } = await startWorker(authority.issue("IP:127.0.0.1"));
  const error = await call(url.href, newKeys()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "WorkerUnreachable" });
  expect(String(error)).toContain(reason);
  expect(await echo(url.href, newKeys(), Buffer.from("x"))).toBe(503);
  expect(acknowledged).toEqual([]);
  expect(target.joined).toBe(0);
  const refused = log.lines.filter(({ event }) => event === "tls.refused");
  expect(refused.map(({ facts }) => String(facts?.["error"])).join()).toContain(logged);
});

test.each<[string, () => ClusterKeys]>([
  ["of another authority", () => ({ ...other.issue("IP:127.0.0.1"), ca: authority.issue("DNS:a").ca })],
  ["for another address", () => authority.issue("IP:127.0.0.2,DNS:localhost")],
  ["that has expired", () => authority.issue("IP:127.0.0.1", -1)],
])("a front-end sends nothing to a worker with a certificate %s", async (_, newKeys) => {
  const { url } = await startWorker(newKeys());
  const front = authority.issue("DNS:front-1");
  expect(await call(url.href, front).catch((error: unknown) => error)).toMatchObject({
    name: "WorkerUnreachable",
    isOutcomeUnknown: false,
  });
  expect(await echo(url.href, front, Buffer.from("x"))).toBe(503);
  expect(target.joined).toBe(0);
});

test("a front-end with certificates sends nothing to a worker without TLS", async () => {
  const plain = `http://127.0.0.1:9`;
  const front = authority.issue("DNS:front-1");
  const error = await call(plain, front).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "WorkerUnreachable", isOutcomeUnknown: false });
  expect(String((error as Error).cause)).toContain("RBS_WORKER_URL of this worker is http://127.0.0.1:9, but");
  expect(await echo(plain, front, Buffer.from("x"))).toBe(503);
});

test("/readyz shows its numbers to clients with a certificate, but not to requests that they forward", async () => {
  const { url } = await startWorker(authority.issue("IP:127.0.0.1"));
  const ask = async (headers: Record<string, string>): Promise<unknown> => {
    const socket = await connectAs(url, authority.issue("DNS:nginx"));
    const lines = Object.entries({ Host: "worker", Connection: "close", ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`GET /readyz HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    return JSON.parse((await text(socket)).split("\r\n\r\n")[1] ?? "");
  };
  expect(await ask({})).toEqual({ status: "ready", browsers: 1, warm: 0, capacity: 2 });
  expect(await ask({ "X-Forwarded-For": "203.0.113.9" })).toEqual({ status: "ready" });
});

async function connectAs(url: URL, keys: ClusterKeys): Promise<TLSSocket> {
  const socket = connectTls({ host: url.hostname, port: Number(url.port), ...keys });
  await once(socket, "secureConnect");
  return socket;
}

test("new connections use a renewed certificate, and existing connections stay open", async () => {
  const [before, after] = [authority.issue("IP:127.0.0.1"), authority.issue("IP:127.0.0.1")];
  const { url, renew } = await startWorker(before);
  const front = authority.issue("DNS:front-1");
  const old = await connectAs(url, front);
  renew(after);
  const fresh = await connectAs(url, front);
  expect(String(old.getPeerX509Certificate())).toBe(before.cert);
  expect(String(fresh.getPeerX509Certificate())).toBe(after.cert);
  old.write("GET /unknown HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(String((await once(old, "data"))[0])).toContain("HTTP/1.1 404");
  old.destroy();
  fresh.destroy();
});

test("stopping closes connections with incomplete handshakes", async () => {
  const worker = await startWorker(authority.issue("IP:127.0.0.1"));
  const silent = connectTcp(Number(worker.url.port), worker.url.hostname);
  await once(silent, "connect");
  const ended = once(silent, "close");
  const complete = await connectAs(worker.url, authority.issue("DNS:front-1"));
  const others = Promise.all([ended, once(complete, "close")]);
  await worker[Symbol.asyncDispose]();
  await others;
  expect(await call(worker.url.href, authority.issue("DNS:a")).catch((error: unknown) => error)).toMatchObject({
    cause: { code: "ECONNREFUSED" },
  });
});
