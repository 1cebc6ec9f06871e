import { once } from "node:events";
import { type AddressInfo, type Socket, createServer } from "node:net";
import type { WebSocket } from "ws";
import { readWorkerId } from "../../../src/domain/browser/address.ts";
import { until } from "../until.ts";
import { type FakeDevtools, openFakeDevtools } from "./fake-devtools.ts";
import { type CountedTarget, type GatewayRig, countedTarget, openGatewayRig } from "./gateway-rig.ts";

const WORKER = "worker01";
const KEY = `${WORKER}${"k".repeat(22)}`;

/** The worker's browser. */
export const BROWSER_PATH = `/devtools/browser/${KEY}`;
/** The worker's desktop. */
export const DESKTOP_PATH = `/desktop/${KEY}/rfb`;

/** A front-end, and a worker with a browser. Disposing asserts that both servers have released all resources. */
export type RelayRig = AsyncDisposable & {
  readonly front: GatewayRig;
  readonly worker: GatewayRig;
  readonly target: CountedTarget;
  /** The browser side of each connection. The browser echoes all messages. */
  readonly browserSides: readonly WebSocket[];
  /** The URL at which front-ends reach the worker. */
  workerUrl: URL;
  /** Opens another front-end. */
  openFront(options: Parameters<typeof openGatewayRig>[1]): Promise<GatewayRig>;
  /**
   * Opens a server that replaces the worker and passes TCP connections to the test. Disposing the server waits until
   * the front-end has closed the connections.
   */
  openRawWorker(onConnection: (socket: Socket) => void): Promise<AsyncDisposable>;
};

export async function openRelayRig(): Promise<RelayRig> {
  const browserSides: WebSocket[] = [];
  const devtools = await openFakeDevtools((client) => {
    browserSides.push(client);
    client.on("message", (data, isBinary) => client.send(data, { binary: isBinary }));
  });
  const target = countedTarget(devtools);
  const worker = await openGatewayRig(target);
  worker.browsers.set(KEY, target);
  const openFront: RelayRig["openFront"] = (options) =>
    openGatewayRig(countedTarget({ path: "/nowhere" }), {
      findWorker: (key) =>
        readWorkerId(key) === WORKER
          ? { id: WORKER, url: rig.workerUrl, isAlive: true, verify: async () => {} }
          : undefined,
      ...options,
    });
  const front = await openFront({});
  const rig: RelayRig = {
    front,
    worker,
    target,
    browserSides,
    workerUrl: new URL(`http://127.0.0.1:${worker.port}`),
    openFront,
    async openRawWorker(onConnection) {
      const { url, ...server } = await listen(onConnection);
      rig.workerUrl = url;
      return server;
    },
    [Symbol.asyncDispose]: () => dispose(front, worker, devtools),
  };
  return rig;
}

async function dispose(front: GatewayRig, worker: GatewayRig, devtools: FakeDevtools): Promise<void> {
  await front[Symbol.asyncDispose]();
  await until(
    () => worker.gateway.clients + devtools.connections.size,
    (held) => held === 0,
  );
  await worker[Symbol.asyncDispose]();
  await devtools[Symbol.asyncDispose]();
}

async function listen(onConnection: (socket: Socket) => void): Promise<AsyncDisposable & { readonly url: URL }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async [Symbol.asyncDispose]() {
      server.close();
      await until(
        () => sockets.size,
        (open) => open === 0,
        2000,
      );
    },
  };
}
