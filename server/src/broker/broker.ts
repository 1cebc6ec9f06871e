import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { DEVTOOLS_PORT, PROXY_PORT } from "./bubblewrap.ts";
import type { HeldFile, HeldSocket } from "./files.ts";
import { type SandboxedProgram, startSandboxed } from "./sandboxed-program.ts";
import { connectLoopback, connectUnix, listenLoopback } from "./libc.ts";
import type { Preparation, Request } from "./requests.ts";
import type { SandboxFolders } from "./sandbox-folders.ts";

/** How long a connection to a screen waits while the screen's queue is full. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The answer to a request, with connections for the server by name. */
export type Answer = {
  readonly value?: unknown;
  readonly listener?: Socket;
  readonly sockets?: Readonly<Record<string, Socket>>;
};

type Ended = (program: number, end: Awaited<SandboxedProgram["ended"]>) => void;

/** What the broker holds for one sandbox. */
type Held = {
  readonly files: Map<string, HeldFile>;
  readonly sockets: Map<string, HeldSocket>;
  readonly programs: Map<number, SandboxedProgram>;
  /** Descriptors of its browsers' networks; usually one. */
  readonly networks: number[];
};

/** Makes sandboxes, runs programs in them, and makes sockets that lead into them. */
export class Broker {
  readonly #folders: SandboxFolders;
  readonly #sandboxes = new Map<string, Held>();
  readonly #onEnded: Ended;
  #programs = 0;

  /**
   * @param folders Prepared.
   * @param onEnded Called when a program and all its children have ended.
   */
  constructor(folders: SandboxFolders, onEnded: Ended) {
    this.#folders = folders;
    this.#onEnded = onEnded;
  }

  /** @throws {Error} If the request can't be fulfilled. Then nothing of it is left. */
  async answer(request: Exclude<Request, Preparation>): Promise<Answer> {
    switch (request.ask) {
      case "makeFolder":
        return this.#makeFolder(request.id);
      case "writeFile":
        await this.#folders.writeFile(request.id, request.name, Buffer.from(request.content, "base64"));
        return {};
      case "holdFile":
        this.#find(request.id).files.set(request.name, await this.#folders.holdFile(request.id, request.name));
        return {};
      case "rewriteFile":
        await this.#find(request.id).files.get(request.name)?.write(Buffer.from(request.content, "base64"));
        return {};
      case "holdSocket":
        this.#find(request.id).sockets.set(request.name, await this.#folders.holdSocket(request.id, request.name));
        return {};
      case "connectSocket":
        return { sockets: { socket: await this.#connectSocket(request.id, request.name) } };
      case "release":
        return this.#release(request.id, request.name);
      case "start":
        return this.#start(request);
      case "kill":
        await this.#find(request.id).programs.get(request.program)?.kill();
        return {};
      case "connectBrowser":
        return { sockets: { socket: this.#connectBrowser(request.id) } };
      case "remove":
        return this.#remove(request.id);
    }
  }

  async #makeFolder(id: string): Promise<Answer> {
    const value = await this.#folders.makeFolder(id);
    this.#sandboxes.set(id, { files: new Map(), sockets: new Map(), programs: new Map(), networks: [] });
    return { value };
  }

  async #start({ id, program }: Extract<Request, { ask: "start" }>): Promise<Answer> {
    const held = this.#find(id);
    const started = await startSandboxed(this.#folders.placeOf(id), program);
    const { output, log, network } = started;
    this.#programs += 1;
    const number = this.#programs;
    held.programs.set(number, started);
    if (network !== undefined && program.isBrowser) held.networks.push(network);
    else if (network !== undefined) closeSync(network);
    void started.ended.then((end) => {
      held.programs.delete(number);
      this.#onEnded(number, end);
    });
    try {
      // Removed meanwhile: then this program and its network came too late to be released with the others.
      if (this.#sandboxes.get(id) !== held) await release(held);
      this.#find(id);
      const needsProxy = program.isBrowser && network !== undefined;
      const listener = needsProxy ? { listener: listenForProxy(network) } : {};
      return { value: number, sockets: { output, log }, ...listener };
    } catch (error) {
      for (const socket of [output, log]) socket.destroy();
      await started.kill();
      throw error;
    }
  }

  #connectBrowser(id: string): Socket {
    const network = this.#find(id).networks.at(-1);
    if (network === undefined) throw new Error("No browser is running in this sandbox.");
    return new Socket({ fd: connectLoopback(network, DEVTOOLS_PORT), readable: false });
  }

  async #connectSocket(id: string, name: string): Promise<Socket> {
    const socket = this.#find(id).sockets.get(name);
    if (socket === undefined) throw new Error("The sandbox has no socket of this name.");
    const connectOnce = (path: string): Socket => new Socket({ fd: connectUnix(path), readable: false });
    return socket.connect(AbortSignal.timeout(CONNECT_TIMEOUT_MS), connectOnce);
  }

  async #release(id: string, name: string): Promise<Answer> {
    const { files, sockets } = this.#find(id);
    await files.get(name)?.[Symbol.asyncDispose]();
    await sockets.get(name)?.[Symbol.asyncDispose]();
    files.delete(name);
    sockets.delete(name);
    return {};
  }

  async #remove(id: string): Promise<Answer> {
    const held = this.#sandboxes.get(id);
    this.#sandboxes.delete(id);
    if (held !== undefined) await release(held);
    await this.#folders.remove(id);
    return {};
  }

  #find(id: string): Held {
    const held = this.#sandboxes.get(id);
    if (held === undefined) throw new Error(`Sandbox ${id} doesn't exist.`);
    return held;
  }
}

async function release({ files, sockets, programs, networks }: Held): Promise<void> {
  await Promise.all([...programs.values()].map((program) => program.kill()));
  for (const each of [...files.values(), ...sockets.values()]) await each[Symbol.asyncDispose]();
  for (const network of networks.splice(0)) closeSync(network);
}

/** A listening socket. The broker doesn't accept its connections: they wait until the server does. */
function listenForProxy(network: number): Socket {
  return new Socket({ fd: listenLoopback(network, PROXY_PORT), readable: false });
}
