import type { Server, Socket } from "node:net";
import { DEVTOOLS_PORT, PROXY_PORT, SANDBOX_HOME } from "../../broker/bubblewrap.ts";
import type { Request } from "../../broker/requests.ts";
import type { GroupTree } from "../../broker/limits/control-groups.ts";
import { type FileBounds, toDiskBytes } from "../../domain/machine/bounds.ts";
import { orAborted, waitUpTo } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Rights, ordinaryRights } from "../../ports/rights.ts";
import type {
  ProxyEndpoint,
  Run,
  Sandbox,
  SandboxFile,
  SandboxProcess,
  SandboxSocket,
  Sandboxes,
} from "../../ports/sandboxes.ts";
import { type BrokerOptions, BrokerProcess } from "./broker-process.ts";
import { FairShares } from "./fair-shares.ts";
import { type TotalLimits, makeGroupTree } from "./group-tree.ts";
import type { RunningProgram } from "./host-program.ts";
import { toSandboxProcess } from "./sandbox-process.ts";

/** Maximum delay between a program's exit and its last output. */
const LAST_OUTPUT_MS = 1000;

export type IsolatedOptions = Omit<BrokerOptions, "groups" | "tasks"> &
  FileBounds & {
    /** Memory limit of each sandbox, unless `limitMemory` changes it. */
    readonly memoryBytes: number;
    readonly all: TotalLimits;
    /** Whether to use control groups if possible; true by default. */
    readonly usesGroups?: boolean;
  };

type IsolatedSandboxOptions = {
  readonly broker: BrokerProcess;
  readonly clock: Pick<Clock, "after" | "elapsedMs">;
  readonly files: FileBounds;
  readonly shares: FairShares;
};

/**
 * Runs browsers in bubblewrap, each with its own user, file system, processes and network. Browsers can reach the
 * outside only through the broker's sockets.
 * @returns The sandboxes, and the broker's session, whose leader is the ancestor of all sandboxed processes.
 * @throws {Error} If the broker can't be started.
 */
export async function newIsolatedSandboxes(
  { memoryBytes, all, usesGroups = true, areFilesOnDisk, ...options }: IsolatedOptions,
  clock: Pick<Clock, "after" | "elapsedMs">,
  rights = ordinaryRights,
): Promise<Sandboxes & { readonly session: number }> {
  const files = { diskBytes: options.diskBytes, areFilesOnDisk };
  const { groups, withoutGroups } = await prepareGroups(usesGroups ? all : undefined, options.user, rights);
  const broker = await BrokerProcess.start({ ...options, tasks: all.tasks, groups }, rights);
  const shares = new FairShares((ids, weight) => void broker.ask({ ask: "weigh", ids, weight }).catch(() => undefined));
  return {
    session: broker.session,
    failed: broker.failed,
    bounds: { memoryBytes, ...files, withoutGroups },
    async create(id) {
      try {
        await broker.ask({ ask: "make", id, memoryBytes });
      } catch (error) {
        // After a timeout, the broker may still create the sandbox.
        void broker.ask({ ask: "remove", id }).catch(() => undefined);
        throw error;
      }
      return new IsolatedSandbox({ broker, clock, files, shares }, id);
    },
    [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
  };
}

async function prepareGroups(
  all: TotalLimits | undefined,
  user: number | undefined,
  rights: Rights,
): Promise<{ readonly groups?: GroupTree; readonly withoutGroups: string | undefined }> {
  if (all === undefined) return { withoutGroups: "they are disabled" };
  try {
    return { groups: await rights.asRoot(() => makeGroupTree(all, user)), withoutGroups: undefined };
  } catch (error) {
    return { withoutGroups: (error as Error).message };
  }
}

/** A shell that waits for a command, and then replaces itself with the program. */
type Prepared = Omit<RunningProgram, "kill" | "readProcessorMs"> & { readonly number: number };

class IsolatedSandbox implements Sandbox {
  readonly home = SANDBOX_HOME;
  readonly isIsolated = true;
  readonly devtoolsPort = DEVTOOLS_PORT;
  readonly #needs: IsolatedSandboxOptions;
  readonly #broker: BrokerProcess;
  readonly #id: string;
  readonly #prepared = new Map<string, Prepared>();
  #accept: ((socket: Socket) => void) | undefined;
  #proxy: Server | undefined;
  #isOverLimit = false;
  #account: string | undefined;
  #removing: Promise<void> | undefined;

  constructor(needs: IsolatedSandboxOptions, id: string) {
    this.#needs = needs;
    this.#broker = needs.broker;
    this.#id = id;
  }

  get isOverLimit(): boolean {
    return this.#isOverLimit;
  }

  async limitMemory(memoryBytes: number): Promise<void> {
    const { diskBytes: set, areFilesOnDisk } = this.#needs.files;
    const diskBytes = areFilesOnDisk ? set : Math.min(set, toDiskBytes(memoryBytes));
    await this.#broker.ask({ ask: "limit", id: this.#id, memoryBytes, diskBytes });
  }

  assign(account: string): void {
    this.#account = account;
    this.#needs.shares.add(account, this.#id);
  }

  async openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint> {
    this.#accept = accept;
    return { url: `http://127.0.0.1:${PROXY_PORT}`, [Symbol.dispose]: () => void this.#proxy?.close() };
  }

  async prepare(name: string): Promise<Pick<SandboxProcess, "ended">> {
    const prepared = await this.#start(name);
    this.#prepared.set(name, prepared);
    return prepared;
  }

  async run({ name, ...run }: Run): Promise<SandboxProcess> {
    const { number: program, ...running } = this.#prepared.get(name) ?? (await this.#start(name));
    this.#prepared.delete(name);
    const id = this.#id;
    await this.#broker.ask({ ask: "run", id, program, ...run });
    const kill = (): Promise<void> => this.#release({ ask: "kill", id, program });
    const readProcessorMs = (): Promise<number> =>
      this.#broker.ask({ ask: "measure", id, program }).then(
        ({ value }) => Number(value ?? 0),
        () => 0,
      );
    return toSandboxProcess({ ...running, kill, readProcessorMs }, this.#needs.clock);
  }

  async #start(name: string): Promise<Prepared> {
    const accept = (socket: Socket): void =>
      this.#accept === undefined ? void socket.destroy() : this.#accept(socket);
    const { value, sockets, proxy } = await this.#broker.ask({ ask: "start", id: this.#id, name }, accept);
    this.#proxy ??= proxy;
    const [stdout, stderr] = [sockets["output"] as Socket, sockets["log"] as Socket];
    const ended = this.#broker.whenEnded(Number(value)).then(async ({ isOverLimit, ...end }) => {
      this.#isOverLimit ||= isOverLimit;
      // A program's output can arrive after the program has exited.
      await waitUpTo(LAST_OUTPUT_MS, this.#needs.clock, Promise.all([whenClosed(stdout), whenClosed(stderr)]));
      return end;
    });
    return { number: Number(value), stdout, stderr, ended };
  }

  async writeFile(name: string, content: string | Uint8Array): Promise<void> {
    await this.#broker.ask({ ask: "writeFile", id: this.#id, name, content: toBase64(content) });
  }

  async holdFile(name: string): Promise<SandboxFile> {
    const [broker, id] = [this.#broker, this.#id];
    await broker.ask({ ask: "holdFile", id, name });
    return {
      write: async (content) => void (await broker.ask({ ask: "rewriteFile", id, name, content: toBase64(content) })),
      [Symbol.asyncDispose]: () => this.#release({ ask: "release", id, name }),
    };
  }

  holdSocket(name: string): Promise<SandboxSocket> {
    return this.#hold("holdSocket", name);
  }

  holdListener(program: string): Promise<SandboxSocket> {
    return this.#hold("holdListener", program);
  }

  async #hold(ask: "holdSocket" | "holdListener", name: string): Promise<SandboxSocket> {
    const id = this.#id;
    await this.#broker.ask({ ask, id, name });
    return {
      connect: (signal) => this.#connect({ ask: "connectSocket", id, name }, signal),
      [Symbol.asyncDispose]: () => this.#release({ ask: "release", id, name }),
    };
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return this.#connect({ ask: "connectBrowser", id: this.#id }, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#removing ??= this.#remove());
  }

  #remove(): Promise<void> {
    if (this.#account !== undefined) this.#needs.shares.remove(this.#account, this.#id);
    // The proxy of an unused spare is still listening.
    this.#proxy?.close();
    return this.#release({ ask: "remove", id: this.#id });
  }

  /** Never throws, because a broker releases everything when it ends. */
  async #release(request: Request): Promise<void> {
    await this.#broker.ask(request).catch(() => undefined);
  }

  async #connect(request: Request, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const connecting = this.#broker.ask(request).then(({ sockets }) => sockets["socket"] as Socket);
    try {
      return await orAborted(connecting, signal);
    } catch (error) {
      void connecting.then(
        (late) => late.destroy(),
        () => {},
      );
      throw error;
    }
  }
}

/** Waits until a socket has closed. If no data was sent, the socket may have closed already. */
async function whenClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
}

function toBase64(content: string | Uint8Array): string {
  return Buffer.from(content).toString("base64");
}
