import { once } from "node:events";
import { type Socket, createServer } from "node:net";
import { join } from "node:path";
import { Broker, type BrokerOptions } from "../../broker/broker.ts";
import {
  DEVTOOLS_PORT,
  DEVTOOLS_SOCKET,
  FORWARDERS_READY,
  PROXY_PORT,
  PROXY_SOCKET,
  SANDBOX_HOME,
} from "../../broker/bubblewrap.ts";
import { connectTo } from "../../broker/files.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type {
  Program,
  ProxyEndpoint,
  Sandbox,
  SandboxFile,
  SandboxProcess,
  SandboxSocket,
  Sandboxes,
} from "../../ports/sandboxes.ts";
import { listenForProxy } from "./proxy-listener.ts";
import { toSandboxProcess } from "./sandbox-process.ts";

type SandboxesOptions = BrokerOptions & { readonly clock: Pick<Clock, "after"> };

/**
 * The sandboxes of one server. In bubblewrap, two sockets are the only connections to the outside. Without it, browsers
 * share the host's network and processes, and are separated only by their users.
 */
export function newBrokerSandboxes({ clock, ...options }: SandboxesOptions): Sandboxes {
  const broker = new Broker(options);
  return {
    prepare: () => broker.prepare(),
    async open(id) {
      if (options.isIsolated) return new IsolatedSandbox({ broker, clock, id, folder: await broker.makeFolder(id) });
      // With port 0 the browser would choose one itself, but pages could then see that it is being driven.
      const devtoolsPort = await findFreePort();
      return new SharedSandbox({ broker, clock, id, folder: await broker.makeFolder(id) }, devtoolsPort);
    },
  };
}

type Parts = {
  readonly broker: Broker;
  readonly clock: Pick<Clock, "after">;
  readonly id: string;
  /** The sandbox's `home` on the host. */
  readonly folder: string;
};

abstract class BrokerSandbox implements Sandbox {
  abstract readonly home: string;
  abstract readonly isIsolated: boolean;
  abstract readonly devtoolsPort: number;
  readonly #parts: Parts;
  #removing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  abstract openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint>;

  abstract connect(signal: AbortSignal): Promise<Socket>;

  async run(program: Program): Promise<SandboxProcess> {
    const { broker, clock, id } = this.#parts;
    return toSandboxProcess(await broker.start(id, program), clock);
  }

  writeFile(name: string, content: string | Uint8Array): Promise<void> {
    return this.#parts.broker.writeFile(this.#parts.id, name, content);
  }

  holdFile(name: string): Promise<SandboxFile> {
    return this.#parts.broker.holdFile(this.#parts.id, name);
  }

  holdSocket(name: string): Promise<SandboxSocket> {
    return this.#parts.broker.holdSocket(this.#parts.id, name);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#removing ??= this.remove());
  }

  protected remove(): Promise<void> {
    return this.#parts.broker.remove(this.#parts.id);
  }
}

/** In bubblewrap, with its own file system, processes and network. */
class IsolatedSandbox extends BrokerSandbox {
  readonly home = SANDBOX_HOME;
  readonly isIsolated = true;
  readonly devtoolsPort = DEVTOOLS_PORT;
  readonly #proxySocket: string;
  /** Resolves when both forwarders are listening; undefined while no browser is running. */
  #forwarders: Promise<unknown> | undefined;
  #devtools: Promise<SandboxSocket> | undefined;

  constructor(parts: Parts) {
    super(parts);
    this.#proxySocket = join(parts.folder, PROXY_SOCKET);
  }

  async openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint> {
    // The browser runs as another user. Its folder, not the file, decides which programs may connect.
    const socket = { path: this.#proxySocket, readableAll: true, writableAll: true };
    return { ...(await listenForProxy(socket, accept)), url: `http://127.0.0.1:${PROXY_PORT}` };
  }

  override async run(program: Program): Promise<SandboxProcess> {
    const process = await super.run(program);
    if (program.isBrowser) this.#forwarders = Promise.all(FORWARDERS_READY.map((line) => process.log.find(line)));
    return process;
  }

  async connect(signal: AbortSignal): Promise<Socket> {
    if (this.#forwarders === undefined) throw new Error("No browser is running in this sandbox.");
    await orAborted(this.#forwarders, signal);
    const devtools = await (this.#devtools ??= this.holdSocket(DEVTOOLS_SOCKET));
    return devtools.connect(signal);
  }

  protected override async remove(): Promise<void> {
    this.#forwarders = undefined;
    const devtools = await this.#devtools?.catch(() => undefined);
    await devtools?.[Symbol.asyncDispose]();
    await super.remove();
  }
}

/** Directly on the host, with its network, file system and processes. */
class SharedSandbox extends BrokerSandbox {
  readonly home: string;
  readonly isIsolated = false;
  readonly devtoolsPort: number;

  constructor(parts: Parts, devtoolsPort: number) {
    super(parts);
    this.home = parts.folder;
    this.devtoolsPort = devtoolsPort;
  }

  async openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint> {
    const { port, ...listener } = await listenForProxy({ host: "127.0.0.1", port: 0 }, accept);
    return { ...listener, url: `http://127.0.0.1:${port}` };
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return connectTo({ host: "127.0.0.1", port: this.devtoolsPort }, signal);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The TCP server has no port.");
  return address.port;
}
