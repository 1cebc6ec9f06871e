import { readFileSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WireOptions } from "../../../../server/src/domain/browser/open-options.ts";
import { DevtoolsClient } from "../../devtools/client.ts";
import { Child } from "../processes/child.ts";
import type { Server } from "../processes/server.ts";

const BARE_SPLICE = fileURLToPath(new URL("../processes/bare-splice.ts", import.meta.url));

/** One of the service's browsers, kept open during a measurement, and a client connected to it. */
export type OpenBrowser = AsyncDisposable & { readonly address: URL; readonly client: DevtoolsClient };

/** Opens a browser and connects through the gateway. */
export async function openBrowser(server: Server, options: WireOptions): Promise<OpenBrowser> {
  const address = await server.open(options);
  const client = await server.connect(address);
  return {
    address,
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server.close(address);
    },
  };
}

/** The timed work in one of the service's browsers. */
export type ServiceWork = (server: Server, address: URL) => Promise<unknown>;

const askVersion: ServiceWork = async (server, address) => {
  using client = await server.connect(address);
  await client.call("Browser.getVersion");
};

/** Opens a browser and waits for its first DevTools response. @returns The browser's address. */
export async function openAndAsk(server: Server, options: WireOptions, work = askVersion): Promise<URL> {
  const address = await server.open(options);
  await work(server, address);
  return address;
}

/** Opens a browser and closes it. @returns Time from the request to the browser's first DevTools response, in ms. */
export function timeOpenMs(server: Server, options: WireOptions): Promise<number> {
  return timeOpens(server, 1, options);
}

/**
 * Opens browsers concurrently, and closes them.
 * @param work By default, waits for the browser's first DevTools response.
 * @returns The time from the first request until `work` is done with every browser, in ms.
 */
export async function timeOpens(
  server: Server,
  count: number,
  options: WireOptions,
  work?: ServiceWork,
): Promise<number> {
  const startedMs = performance.now();
  const addresses = await Promise.all(Array.from({ length: count }, () => openAndAsk(server, options, work)));
  const tookMs = performance.now() - startedMs;
  await Promise.all(addresses.map((address) => server.close(address)));
  return tookMs;
}

/**
 * Connects directly to a server's only browser, which must run without a sandbox. The gateway's clients use the same
 * browser, because two browsers could differ in speed.
 */
export async function connectDirectly(server: Pick<Server, "pid">): Promise<DevtoolsClient> {
  const { port, path } = await findOnlyBrowser(server);
  return DevtoolsClient.connect({ host: "127.0.0.1", port }, path);
}

/** A client that is connected through another process. Disposing of the connection stops that process. */
type ConnectedThrough = AsyncDisposable & { readonly client: DevtoolsClient };

/** Connects to a server's only browser through a bare splice. @param folder A folder that only the splice uses. */
export async function connectThroughSplice(server: Server, folder: string): Promise<ConnectedThrough> {
  const { port, path } = await findOnlyBrowser(server);
  return connectThroughPipe(port, path, folder);
}

/** Connects to a path on a port through a bare splice. @param folder A folder that only the splice uses. */
export async function connectThroughPipe(port: number, path: string, folder: string): Promise<ConnectedThrough> {
  await mkdir(folder);
  const child = await Child.start({
    command: process.execPath,
    arguments: [BARE_SPLICE, `${port}`],
    log: join(folder, "log"),
  });
  const [, own] = await child.says(/^Ready on (\d+)$/m);
  const client = await DevtoolsClient.connect({ host: "127.0.0.1", port: Number(own) }, path);
  return { client, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

async function findOnlyBrowser(server: Pick<Server, "pid">): Promise<{ readonly port: number; readonly path: string }> {
  const ports = childrenOf(server.pid).flatMap((pid) => {
    const [, port] = /--remote-debugging-port=(\d+)/.exec(readFileSync(`/proc/${pid}/cmdline`, "latin1")) ?? [];
    return port === undefined ? [] : [Number(port)];
  });
  const [port, ...others] = ports;
  if (port === undefined || others.length > 0) throw new Error(`The server has ${ports.length} browsers instead of 1.`);
  const answer = await fetch(`http://127.0.0.1:${port}/json/version`);
  const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
  return { port, path: new URL(webSocketDebuggerUrl).pathname };
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}
