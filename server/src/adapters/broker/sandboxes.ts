import type { Socket } from "node:net";
import { join } from "node:path";
import { orAborted } from "../../concurrency/abortable.ts";
import type {
  ProxyEndpoint,
  Sandbox,
  SandboxProcess,
  SandboxSocket,
  Sandboxes,
  Program,
} from "../../ports/sandboxes.ts";
import { startSandboxProcess } from "./sandbox-process.ts";
import { type SandboxFolder, SandboxFolders } from "./sandbox-folders.ts";
import { holdSocket } from "./held-socket.ts";
import { listenForProxy } from "./proxy-listener.ts";
import { SANDBOX_HOME, toSandboxArguments } from "./sandbox-arguments.ts";
import { writeSandboxFile } from "./write-file.ts";

const DEVTOOLS_SOCKET = "devtools.sock";
const EGRESS_SOCKET = "egress.sock";

// The jail has a loopback of its own, so the ports can be fixed.
const DEVTOOLS_PORT = 9222;
const EGRESS_PORT = 3128;

/** Bytes socat moves at a time; its default of 8 KiB slows large messages down. */
const SOCAT_BUFFER = 131_072;

/** What the socat of each way says when it listens. */
const LISTENING = [DEVTOOLS_SOCKET, `:${EGRESS_PORT}`].map((place) => new RegExp(` N listening on .*${place}`));

/** Longest path of a Unix socket, in bytes, and the longest name of a cell that is reckoned with. */
const MAX_PATH = 107;
const MAX_ID = 36;

export type SandboxOptions = {
  /** Where the cells' folders lie. */
  readonly root: string;
  /** Whether each jail gets an unprivileged user of its own; only root can. */
  readonly hasOwners: boolean;
};

/** A bubblewrap jail a browser, with two Unix sockets as its only ways in and out. */
export function sandboxes({ root, hasOwners }: SandboxOptions): Sandboxes {
  const folders = new SandboxFolders(root, hasOwners);
  return {
    newSandbox: async (id) => new BubblewrapSandbox(await folders.make(id, ["home", "tmp"])),
    async prepare() {
      const longest = join(root, "x".repeat(MAX_ID), "home", DEVTOOLS_SOCKET);
      if (Buffer.byteLength(longest) > MAX_PATH) {
        throw new Error(`${root} is too long a path for the sockets below it: set RBS_WORK_DIR to a shorter one.`);
      }
      await folders.prepare();
    },
  };
}

class BubblewrapSandbox implements Sandbox {
  readonly folder: string;
  readonly home = SANDBOX_HOME;
  readonly owner: number | undefined;
  readonly isIsolated = true;
  readonly devtoolsPort = DEVTOOLS_PORT;
  readonly #folder: SandboxFolder;
  /** Resolves when both ways are open. */
  #ways: Promise<unknown> | undefined;
  #devtools: Promise<SandboxSocket> | undefined;
  #removing: Promise<void> | undefined;

  constructor(folder: SandboxFolder) {
    this.#folder = folder;
    this.folder = join(folder.path, "home");
    this.owner = folder.owner;
  }

  async openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint> {
    // The browser runs as another user. Its folder, not the file, decides which programs may connect.
    const place = { path: join(this.folder, EGRESS_SOCKET), readableAll: true, writableAll: true };
    return { ...(await listenForProxy(place, accept)), url: `http://127.0.0.1:${EGRESS_PORT}` };
  }

  async run(program: Program): Promise<SandboxProcess> {
    const process = await startSandboxProcess({
      command: "bwrap",
      arguments: toSandboxArguments(this.#folder.path, program.isBrowser ? withWays(program) : program),
      environment: { PATH: "/usr/bin:/bin" },
      folder: this.folder,
      owner: this.owner,
    });
    if (program.isBrowser) this.#ways = Promise.all(LISTENING.map((line) => process.log.find(line)));
    return process;
  }

  async connect(signal: AbortSignal): Promise<Socket> {
    if (this.#ways === undefined || this.#removing !== undefined) throw new Error("No browser runs in this jail.");
    await orAborted(this.#ways, signal);
    const devtools = await (this.#devtools ??= this.holdSocket(DEVTOOLS_SOCKET));
    return devtools.connect(signal);
  }

  writeFile(name: string, content: string | Uint8Array): Promise<void> {
    return writeSandboxFile(this, name, content);
  }

  holdSocket(name: string): Promise<SandboxSocket> {
    return holdSocket(join(this.folder, name));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#removing ??= this.#remove());
  }

  async #remove(): Promise<void> {
    const devtools = await this.#devtools?.catch(() => undefined);
    await devtools?.[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
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
