import { once } from "node:events";
import { type Socket, createServer } from "node:net";
import { join } from "node:path";
import { connectTo } from "../../broker/files.ts";
import { type FolderOptions, SandboxFolders } from "../../broker/sandbox-folders.ts";
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
import { startProgram } from "./host-program.ts";
import { listenForProxy } from "./proxy-listener.ts";
import { toSandboxProcess } from "./sandbox-process.ts";

/** Chromium makes this socket in its temporary folder, and the kernel limits the length of its path, in bytes. */
const SINGLETON = "tmp/org.chromium.Chromium.XXXXXX/SingletonSocket";
const MAX_SOCKET_PATH = 107;

/** Characters of a browser's id that name its folder: all 24 would make that path too long. */
const MAX_NAME = 10;

/**
 * Browsers share the host's network and processes, and are separated only by their users.
 * @throws {Error} When the root folder can't be used, or its path is too long.
 */
export async function newSharedSandboxes(options: FolderOptions, clock: Pick<Clock, "after">): Promise<Sandboxes> {
  const longest = join(options.root, "x".repeat(MAX_NAME), SINGLETON);
  if (Buffer.byteLength(longest) > MAX_SOCKET_PATH) {
    throw new Error(
      `The path ${options.root} is too long for the sockets of browsers in it. Set RBS_WORK_DIR to a shorter path.`,
    );
  }
  const folders = new SandboxFolders(options);
  await folders.prepare();
  return {
    async open(id) {
      // Don't let the browser choose the port: pages can see that it was started with port 0, and so is automated.
      const devtoolsPort = await findFreePort();
      const name = id.slice(0, MAX_NAME);
      await folders.makeFolder(name);
      return new SharedSandbox(folders, clock, name, devtoolsPort);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Directly on the host, with its network, file system and processes. */
class SharedSandbox implements Sandbox {
  readonly home: string;
  readonly isIsolated = false;
  readonly devtoolsPort: number;
  readonly #folders: SandboxFolders;
  readonly #clock: Pick<Clock, "after">;
  readonly #id: string;
  #removing: Promise<void> | undefined;

  constructor(folders: SandboxFolders, clock: Pick<Clock, "after">, id: string, devtoolsPort: number) {
    this.#folders = folders;
    this.#clock = clock;
    this.#id = id;
    this.home = folders.placeOf(id).home;
    this.devtoolsPort = devtoolsPort;
  }

  async openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint> {
    const { port, ...listener } = await listenForProxy({ host: "127.0.0.1", port: 0 }, accept);
    return { ...listener, url: `http://127.0.0.1:${port}` };
  }

  async run({ environment, ...program }: Program): Promise<SandboxProcess> {
    const { path, home, owner } = this.#folders.placeOf(this.#id);
    const command = { ...program, environment: { ...environment, TMPDIR: join(path, "tmp") }, folder: home, owner };
    return toSandboxProcess(await startProgram(command), this.#clock);
  }

  writeFile(name: string, content: string | Uint8Array): Promise<void> {
    return this.#folders.writeFile(this.#id, name, content);
  }

  holdFile(name: string): Promise<SandboxFile> {
    return this.#folders.holdFile(this.#id, name);
  }

  holdSocket(name: string): Promise<SandboxSocket> {
    return this.#folders.holdSocket(this.#id, name);
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return connectTo({ host: "127.0.0.1", port: this.devtoolsPort }, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#removing ??= this.#folders.remove(this.#id));
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
