import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { DEVTOOLS_PORT, type InstalledProgram, PROXY_PORT } from "./bubblewrap.ts";
import type { Bounds, BoundsMaker } from "./bounds.ts";
import type { HeldFile, HeldSocket } from "./folders/files.ts";
import { type Limited, LimitsWatch } from "./limits-watch.ts";
import { type SandboxedProgram, startSandboxed } from "./sandboxed-program.ts";
import { connectLoopback, connectUnix, listenLoopback } from "./kernel/libc.ts";
import type { Preparation, ProgramEnd, Programs, Request } from "./requests.ts";
import type { SandboxFolders } from "./folders/sandbox-folders.ts";

/** Maximum time that a connection waits while a screen's queue is full. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The reply to a request, with sockets for the server, keyed by name. */
export type Answer = {
  readonly value?: unknown;
  readonly listener?: Socket;
  readonly sockets?: Readonly<Record<string, Socket>>;
};

/** The highest possible capacity of a server. */
const MAX_SANDBOXES = 10_000;

type BrokerOptions = {
  readonly folders: SandboxFolders;
  readonly bounds: BoundsMaker;
  /** Maximum number of processes and threads across all sandboxes. */
  readonly tasks: number;
  readonly programs: Programs;
  /** Called when a program and all its children have ended. */
  readonly onEnded: (program: number, end: ProgramEnd) => void;
  /** Called when reading the sandboxes' usage fails. */
  readonly onFailure: (error: unknown) => void;
};

/** The resources that the broker holds for a sandbox. */
type Held = Pick<Limited, "isOverLimit"> & {
  readonly files: Map<string, HeldFile>;
  readonly sockets: Map<string, HeldSocket>;
  readonly programs: Map<number, SandboxedProgram>;
  readonly bounds: Bounds;
  /**
   * Resolves when no step uses paths in the sandbox's folder. Steps run one at a time, because a program could replace
   * a folder with a link before the broker, as root, uses it. Never rejects.
   */
  turn: Promise<unknown>;
  /** Whether a program has run, and so could have replaced files in the folder. */
  isUsed: boolean;
  /** Descriptors of the programs' network namespaces, the browser's first. */
  readonly networks: number[];
};

/** Creates sandboxes, runs programs in them, and connects sockets to them. Disposing removes all sandboxes. */
export class Broker implements AsyncDisposable {
  readonly #options: BrokerOptions;
  readonly #programs: ReadonlyMap<string, InstalledProgram>;
  readonly #sandboxes = new Map<string, Held>();
  /** Sandboxes that are being created. */
  readonly #making = new Map<string, Promise<Answer>>();
  readonly #watch: LimitsWatch;
  #started = 0;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#programs = new Map(Object.entries(options.programs));
    this.#watch = new LimitsWatch({ ...options, sandboxes: this.#sandboxes });
  }

  /** @throws {Error} If the request fails, after undoing its effects. */
  async answer(request: Exclude<Request, Preparation>): Promise<Answer> {
    switch (request.ask) {
      case "make": {
        const made = this.#make(request.id, request.memoryBytes).finally(() => this.#making.delete(request.id));
        this.#making.set(request.id, made);
        return made;
      }
      case "limit":
        await this.#find(request.id).bounds.limit(request.memoryBytes);
        this.#options.folders.resize(request.id, request.diskBytes);
        return {};
      case "weigh":
        // A sandbox in the request may already have been removed.
        for (const id of request.ids) this.#sandboxes.get(id)?.bounds.weigh(request.weight);
        return {};
      case "writeFile":
        return this.#writeFile(request.id, request.name, request.content);
      case "holdFile":
        return this.#holdFile(request.id, request.name);
      case "rewriteFile":
        await this.#find(request.id).files.get(request.name)?.write(Buffer.from(request.content, "base64"));
        return {};
      case "holdSocket":
        return this.#holdSocket(request.id, request.name);
      case "holdListener":
        return this.#holdListener(request.id, request.name);
      case "connectSocket":
        return { sockets: { socket: await this.#connectSocket(request.id, request.name) } };
      case "release":
        return this.#release(request.id, request.name);
      case "start":
        return this.#start(request.id, request.name);
      case "run":
        return this.#run(request);
      case "kill":
        await this.#find(request.id).programs.get(request.program)?.kill();
        return {};
      case "measure":
        return { value: this.#find(request.id).programs.get(request.program)?.readProcessorMs() };
      case "connectBrowser":
        return { sockets: { socket: this.#connectBrowser(request.id) } };
      case "remove":
        return this.#remove(request.id);
    }
  }

  async #make(id: string, memoryBytes: number): Promise<Answer> {
    if (this.#sandboxes.size >= MAX_SANDBOXES) throw new Error(`There are already ${MAX_SANDBOXES} sandboxes.`);
    const { folders, bounds: maker } = this.#options;
    await folders.makeFolder(id);
    const bounds = await maker.make(id, memoryBytes).catch(async (error: unknown) => {
      await folders.remove(id);
      throw error;
    });
    const [files, sockets, programs, turn] = [new Map(), new Map(), new Map(), Promise.resolve()];
    const state = { turn, isUsed: false, isOverLimit: false };
    this.#sandboxes.set(id, { files, sockets, programs, bounds, networks: [], ...state });
    return {};
  }

  #writeFile(id: string, name: string, content: string): Promise<Answer> {
    return this.#inTurn(id, async () => {
      this.#findUnused(id);
      await this.#options.folders.writeFile(id, name, Buffer.from(content, "base64"));
      return {};
    });
  }

  #holdFile(id: string, name: string): Promise<Answer> {
    return this.#inTurn(id, async () => {
      const { files } = this.#findUnused(id);
      return keep(files, name, await this.#options.folders.holdFile(id, name));
    });
  }

  #holdSocket(id: string, name: string): Promise<Answer> {
    return this.#inTurn(id, async ({ sockets }) =>
      keep(sockets, name, await this.#options.folders.holdSocket(id, name)),
    );
  }

  #holdListener(id: string, name: string): Promise<Answer> {
    return this.#inTurn(id, async ({ sockets }) => {
      const { listensOn } = this.#programs.get(name) ?? {};
      if (listensOn === undefined) throw new Error("The broker doesn't create a socket for this program.");
      return keep(sockets, name, await this.#options.folders.holdListener(id, listensOn));
    });
  }

  /** @throws {Error} If the sandbox doesn't exist, or is removed before the step's turn. */
  #inTurn(id: string, step: (held: Held) => Promise<Answer>): Promise<Answer> {
    const held = this.#find(id);
    const result = held.turn.then(() => step(this.#find(id)));
    held.turn = result.catch(() => undefined);
    return result;
  }

  /** Starts a shell that later becomes the program. */
  #start(id: string, name: string): Promise<Answer> {
    return this.#inTurn(id, async () => {
      const program = this.#programs.get(name);
      if (program === undefined) throw new Error("The broker doesn't know this program.");
      const held = program.listensOn === undefined ? this.#find(id) : this.#findUnused(id);
      return this.#keep(held, program, await startSandboxed(this.#options.folders.folderOf(id), program, held.bounds));
    });
  }

  #run({ id, program, ...run }: Extract<Request, { ask: "run" }>): Promise<Answer> {
    return this.#inTurn(id, async (held) => {
      held.isUsed = true;
      held.programs.get(program)?.run(run);
      return {};
    });
  }

  #keep(held: Held, { isBrowser }: InstalledProgram, started: SandboxedProgram): Answer {
    const { output, log, network, ended } = started;
    this.#started += 1;
    const value = this.#started;
    held.programs.set(value, started);
    void ended.then((end) => {
      this.#watch.endIfOverMemory(held);
      this.#options.onEnded(value, { ...end, isOverLimit: held.isOverLimit });
      held.programs.delete(value);
    });
    const answer = { value, sockets: { output, log } };
    held.networks[isBrowser ? "unshift" : "push"](network);
    if (!isBrowser) return answer;
    // The broker doesn't accept connections to the proxy: they stay queued until the server accepts them.
    return { ...answer, listener: new Socket({ fd: listenLoopback(network, PROXY_PORT), readable: false }) };
  }

  #connectBrowser(id: string): Socket {
    const network = this.#find(id).networks.at(0);
    if (network === undefined) throw new Error("No browser is running in this sandbox.");
    return new Socket({ fd: connectLoopback(network, DEVTOOLS_PORT), readable: false });
  }

  async #connectSocket(id: string, name: string): Promise<Socket> {
    const socket = this.#find(id).sockets.get(name);
    if (socket === undefined) throw new Error("The sandbox has no socket with this name.");
    const connectOnce = (path: string): Socket => new Socket({ fd: connectUnix(path), readable: false });
    return socket.connect(AbortSignal.timeout(CONNECT_TIMEOUT_MS), connectOnce);
  }

  async #release(id: string, name: string): Promise<Answer> {
    const { files, sockets } = this.#find(id);
    const released = [files.get(name), sockets.get(name)];
    files.delete(name);
    sockets.delete(name);
    for (const each of released) await each?.[Symbol.asyncDispose]();
    return {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch[Symbol.dispose]();
    await Promise.all([...this.#sandboxes.keys()].map((id) => this.#remove(id)));
    await this.#options.bounds[Symbol.asyncDispose]();
  }

  async #remove(id: string): Promise<Answer> {
    await this.#making.get(id)?.catch(() => undefined);
    const held = this.#sandboxes.get(id);
    this.#sandboxes.delete(id);
    if (held !== undefined) await release(held);
    await this.#options.folders.remove(id);
    return {};
  }

  /** @throws {Error} If a program has run in the sandbox, because it could have replaced folders with links. */
  #findUnused(id: string): Held {
    const held = this.#find(id);
    if (held.isUsed) throw new Error(`Sandbox ${id} has run a program, so no more files can be created in it.`);
    return held;
  }

  #find(id: string): Held {
    const held = this.#sandboxes.get(id);
    if (held === undefined) throw new Error(`Sandbox ${id} doesn't exist.`);
    return held;
  }
}

/** Keeps a file or socket until it is released, or its sandbox is removed. */
async function keep<Kept extends AsyncDisposable>(all: Map<string, Kept>, name: string, opened: Kept): Promise<Answer> {
  if (!all.has(name)) {
    all.set(name, opened);
    return {};
  }
  await opened[Symbol.asyncDispose]();
  throw new Error(`${name} is already in use.`);
}

async function release({ files, sockets, programs, bounds, turn, networks }: Held): Promise<void> {
  await turn;
  await Promise.all([...programs.values()].map((program) => program.kill()));
  await bounds[Symbol.asyncDispose]();
  for (const each of [...files.values(), ...sockets.values()]) await each[Symbol.asyncDispose]();
  for (const network of networks.splice(0)) closeSync(network);
}
