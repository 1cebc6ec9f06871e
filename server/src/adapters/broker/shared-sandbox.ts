import { once } from "node:events";
import { type Socket, createServer } from "node:net";
import { join } from "node:path";
import { connectTo } from "../../broker/folders/files.ts";
import { SandboxFolders } from "../../broker/folders/sandbox-folders.ts";
import type { Clock } from "../../ports/clock.ts";
import type {
  Programs,
  ProxyEndpoint,
  Run,
  Sandbox,
  SandboxFile,
  SandboxProcess,
  SandboxSocket,
  Sandboxes,
} from "../../ports/sandboxes.ts";
import { type OnStuck, newDiskStorage, prepareRoot } from "./disk-folders.ts";
import { startProgram } from "./host-program.ts";
import { listenForProxy } from "./proxy-listener.ts";
import { toSandboxProcess } from "./sandbox-process.ts";

/** Chromium creates this socket in its temporary folder. The kernel limits the length of its path, in bytes. */
const SINGLETON = "tmp/org.chromium.Chromium.XXXXXX/SingletonSocket";
const MAX_SOCKET_PATH = 107;

/** Maximum length of a folder's name, which is the random suffix of a browser's id. */
const MAX_NAME = 10;

type SharedOptions = {
  /** The folder that contains all sandbox folders. Only one server uses it. */
  readonly root: string;
  readonly programs: Programs;
  /** Whether each sandbox has its own unprivileged user, which requires root. */
  readonly hasOwners: boolean;
  readonly onStuck: OnStuck;
};

/**
 * Runs browsers on the host's network, separated only by their users.
 * @throws {Error} If the root folder can't be used, or its path is too long.
 */
export async function newSharedSandboxes(
  { root, programs, hasOwners, onStuck }: SharedOptions,
  clock: Pick<Clock, "after" | "elapsedMs">,
): Promise<Sandboxes> {
  const longest = join(root, "x".repeat(MAX_NAME), SINGLETON);
  if (Buffer.byteLength(longest) > MAX_SOCKET_PATH) {
    throw new Error(
      `The path ${root} is too long for the sockets of browsers in it. Set RBS_WORK_DIR to a shorter path.`,
    );
  }
  await prepareRoot(root, onStuck);
  const folders = new SandboxFolders({ root, hasOwners, storage: newDiskStorage(onStuck) });
  return {
    async create(id) {
      // Don't let the browser choose the port: pages can detect a start with port 0, which reveals automation.
      const devtoolsPort = await findFreePort();
      const name = id.slice(-MAX_NAME);
      await folders.makeFolder(name);
      return new SharedSandbox({ folders, programs, clock }, name, devtoolsPort);
    },
    async [Symbol.asyncDispose]() {},
  };
}

type Shared = {
  readonly folders: SandboxFolders;
  readonly programs: Programs;
  readonly clock: Pick<Clock, "after" | "elapsedMs">;
};

class SharedSandbox implements Sandbox {
  readonly home: string;
  readonly isIsolated = false;
  readonly isOverLimit = false;
  readonly devtoolsPort: number;
  readonly #shared: Shared;
  readonly #id: string;
  #removing: Promise<void> | undefined;

  constructor(shared: Shared, id: string, devtoolsPort: number) {
    this.#shared = shared;
    this.#id = id;
    this.home = shared.folders.folderOf(id).home;
    this.devtoolsPort = devtoolsPort;
  }

  async limitMemory(): Promise<void> {}

  assign(): void {}

  async openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint> {
    const { port, ...listener } = await listenForProxy({ host: "127.0.0.1", port: 0 }, accept);
    return { ...listener, url: `http://127.0.0.1:${port}` };
  }

  async prepare(): Promise<Pick<SandboxProcess, "ended">> {
    return { ended: new Promise(() => {}) };
  }

  async run({ name, arguments: given, environment }: Run): Promise<SandboxProcess> {
    const { folders, programs, clock } = this.#shared;
    const { path, home, owner } = folders.folderOf(this.#id);
    const program = programs[name];
    if (program === undefined) throw new Error(`Sandboxes can't run ${name}.`);
    const command = [...program.command, ...given];
    const context = { environment: { ...environment, TMPDIR: join(path, "tmp") }, folder: home, owner };
    return toSandboxProcess(await startProgram({ command, ...context }), clock);
  }

  writeFile(name: string, content: string | Uint8Array): Promise<void> {
    return this.#shared.folders.writeFile(this.#id, name, content);
  }

  holdFile(name: string): Promise<SandboxFile> {
    return this.#shared.folders.holdFile(this.#id, name);
  }

  holdSocket(name: string): Promise<SandboxSocket> {
    return this.#shared.folders.holdSocket(this.#id, name);
  }

  async holdListener(): Promise<SandboxSocket> {
    throw new Error("Programs in a shared sandbox make their own sockets.");
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return connectTo({ host: "127.0.0.1", port: this.devtoolsPort }, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#removing ??= this.#shared.folders.remove(this.#id));
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
