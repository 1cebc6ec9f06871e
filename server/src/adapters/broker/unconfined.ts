import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { EgressWay } from "../../ports/egress.ts";
import type { Cell, CellProcess, CellSocket, Isolation, Program } from "../../ports/isolation.ts";
import { startCellProcess } from "./cell-process.ts";
import { connectTo } from "./connect.ts";
import { type CellFolder, CellFolders } from "./folder.ts";
import { holdSocket } from "./held-socket.ts";
import type { JailOptions } from "./jail.ts";
import { writeCellFile } from "./write-file.ts";

/** No jail: browsers share the host's network and processes, and are kept apart by their users at most. */
export function unconfined({ root, hasOwners }: JailOptions): Isolation {
  const folders = new CellFolders(root, hasOwners);
  return {
    async newCell(id) {
      // A port of 0 would let the browser choose, and let pages see that it is being driven.
      const devtoolsPort = await findFreePort();
      return new OpenCell(await folders.make(id, ["home", "tmp"]), devtoolsPort);
    },
    prepare: () => folders.prepare(),
  };
}

class OpenCell implements Cell {
  readonly folder: string;
  readonly home: string;
  readonly owner: number | undefined;
  readonly isJail = false;
  readonly devtoolsPort: number;
  readonly doorway = { host: "127.0.0.1" } as const;
  readonly #folder: CellFolder;

  constructor(folder: CellFolder, devtoolsPort: number) {
    this.#folder = folder;
    this.folder = join(folder.path, "home");
    this.home = this.folder;
    this.owner = folder.owner;
    this.devtoolsPort = devtoolsPort;
  }

  toProxyUrl({ port }: EgressWay): string {
    return `http://127.0.0.1:${port}`;
  }

  run(program: Program): Promise<CellProcess> {
    return startCellProcess({
      command: program.command,
      arguments: program.arguments,
      environment: { ...program.environment, TMPDIR: join(this.#folder.path, "tmp") },
      folder: this.home,
      owner: this.owner,
    });
  }

  writeFile(name: string, content: string | Uint8Array): Promise<void> {
    return writeCellFile(this, name, content);
  }

  holdSocket(name: string): Promise<CellSocket> {
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
