import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import type {
  ProxyEndpoint,
  Sandbox,
  SandboxProcess,
  SandboxSocket,
  Sandboxes,
  Program,
} from "../../ports/sandboxes.ts";
import { startSandboxProcess } from "./sandbox-process.ts";
import { connectTo } from "./connect.ts";
import { type SandboxFolder, SandboxFolders } from "./sandbox-folders.ts";
import { holdSocket } from "./held-socket.ts";
import { listenForProxy } from "./proxy-listener.ts";
import type { SandboxOptions } from "./sandboxes.ts";
import { writeSandboxFile } from "./write-file.ts";

/** No jail: browsers share the host's network and processes, and are kept apart by their users at most. */
export function withoutSandboxes({ root, hasOwners }: SandboxOptions): Sandboxes {
  const folders = new SandboxFolders(root, hasOwners);
  return {
    async newSandbox(id) {
      // A port of 0 would let the browser choose, and let pages see that it is being driven.
      const devtoolsPort = await findFreePort();
      return new BareFolder(await folders.make(id, ["home", "tmp"]), devtoolsPort);
    },
    prepare: () => folders.prepare(),
  };
}

class BareFolder implements Sandbox {
  readonly folder: string;
  readonly home: string;
  readonly owner: number | undefined;
  readonly isIsolated = false;
  readonly devtoolsPort: number;
  readonly #folder: SandboxFolder;

  constructor(folder: SandboxFolder, devtoolsPort: number) {
    this.#folder = folder;
    this.folder = join(folder.path, "home");
    this.home = this.folder;
    this.owner = folder.owner;
    this.devtoolsPort = devtoolsPort;
  }

  async openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint> {
    const { port, ...listener } = await listenForProxy({ host: "127.0.0.1", port: 0 }, accept);
    return { ...listener, url: `http://127.0.0.1:${port}` };
  }

  run(program: Program): Promise<SandboxProcess> {
    return startSandboxProcess({
      command: program.command,
      arguments: program.arguments,
      environment: { ...program.environment, TMPDIR: join(this.#folder.path, "tmp") },
      folder: this.home,
      owner: this.owner,
    });
  }

  writeFile(name: string, content: string | Uint8Array): Promise<void> {
    return writeSandboxFile(this, name, content);
  }

  holdSocket(name: string): Promise<SandboxSocket> {
    return holdSocket(join(this.folder, name));
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return connectTo({ host: "127.0.0.1", port: this.devtoolsPort }, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#folder[Symbol.asyncDispose]();
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
}
