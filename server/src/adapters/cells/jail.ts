import { constants } from "node:fs";
import { chmod, open, type FileHandle } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { EgressWay } from "../../ports/egress.ts";
import type { Cell, CellProcess, Isolation, Program } from "../../ports/isolation.ts";
import { startCellProcess } from "./cell-process.ts";
import { connectTo } from "./connect.ts";
import { type CellFolder, CellFolders } from "./folder.ts";
import { JAIL_HOME, toJailArguments } from "./jail-arguments.ts";

const DEVTOOLS_SOCKET = "devtools.sock";
const EGRESS_SOCKET = "egress.sock";

// The jail has a loopback of its own, so the ports can be fixed.
const DEVTOOLS_PORT = 9222;
const EGRESS_PORT = 3128;

/** Bytes socat moves at a time; its default of 8 KiB slows large messages down. */
const SOCAT_BUFFER = 131_072;

// Not in the headers that Node knows: opens a file only to name it, whatever it is.
const O_PATH = 0o10000000;

export type JailOptions = {
  /** Where the cells' folders lie. */
  readonly root: string;
  /** Whether each jail gets an unprivileged user of its own; only root can. */
  readonly hasOwners: boolean;
};

/** A bubblewrap jail a browser, with two Unix sockets as its only ways in and out. */
export function jails({ root, hasOwners }: JailOptions): Isolation {
  const folders = new CellFolders(root, hasOwners);
  return {
    newCell: async (id) => new Jail(await folders.make(id, ["home", "tmp"])),
    prepare: () => folders.prepare(),
  };
}

class Jail implements Cell {
  readonly folder: string;
  readonly home = JAIL_HOME;
  readonly owner: number | undefined;
  readonly devtoolsPort = DEVTOOLS_PORT;
  readonly doorway: { readonly path: string };
  readonly #folder: CellFolder;
  #devtools: FileHandle | undefined;
  #removing: Promise<void> | undefined;

  constructor(folder: CellFolder) {
    this.#folder = folder;
    this.folder = join(folder.path, "home");
    this.owner = folder.owner;
    this.doorway = { path: join(this.folder, EGRESS_SOCKET) };
  }

  toProxyUrl(_way: EgressWay): string {
    return `http://127.0.0.1:${EGRESS_PORT}`;
  }

  async run(program: Program): Promise<CellProcess> {
    // The server listens there as itself; the jail's user has to be let in.
    if (program.isBrowser) await chmod(this.doorway.path, 0o666);
    const inside = program.isBrowser ? withWays(program) : program;
    return startCellProcess({
      command: "bwrap",
      arguments: toJailArguments(this.#folder.path, inside),
      environment: { PATH: "/usr/bin:/bin" },
      owner: this.owner,
      // The first process of a PID namespace takes all others with it.
      kill: (child) => child.kill("SIGKILL"),
      waysOpen: program.isBrowser ? socatsListen : async () => {},
    });
  }

  async connect(signal: AbortSignal): Promise<Socket> {
    this.#devtools ??= await this.#openDevtoolsSocket();
    return connectTo({ path: `/proc/self/fd/${this.#devtools.fd}` }, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#removing ??= this.#remove());
  }

  async #remove(): Promise<void> {
    await this.#devtools?.close();
    await this.#folder[Symbol.asyncDispose]();
  }

  /**
   * Takes hold of the socket itself. A name that lies where the jail can write could be made to lead to any socket of
   * the host by the next time it is followed.
   */
  async #openDevtoolsSocket(): Promise<FileHandle> {
    const handle = await open(join(this.folder, DEVTOOLS_SOCKET), O_PATH | constants.O_NOFOLLOW);
    if ((await handle.stat()).isSocket()) return handle;
    await handle.close();
    throw new Error("There is no socket where the jail's DevTools should be.");
  }
}

/** The program with its two ways: DevTools in, everything else out through the proxy. */
function withWays(program: Program): Program {
  const socat = `socat -d -d -b${SOCAT_BUFFER}`;
  const into = `${socat} UNIX-LISTEN:${DEVTOOLS_SOCKET},fork,backlog=256 TCP4:127.0.0.1:${DEVTOOLS_PORT},nodelay`;
  const out = `${socat} TCP4-LISTEN:${EGRESS_PORT},bind=127.0.0.1,fork,backlog=1024 UNIX-CONNECT:${EGRESS_SOCKET}`;
  return {
    ...program,
    command: "/bin/sh",
    arguments: ["-c", `${into} & ${out} & exec "$@"`, "sh", program.command, ...program.arguments],
  };
}

/** Both socats say so when they listen. */
function socatsListen(stderr: Readable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = "";
  const read = (chunk: Buffer): void => {
    seen += chunk.toString();
    if ((seen.match(/ N listening on /g)?.length ?? 0) < 2) return;
    stderr.off("data", read);
    resolve();
  };
  stderr.on("data", read);
  return promise;
}
