import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { type Server, Socket, createServer } from "node:net";
import { dirname } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { PROXY_BACKLOG } from "../../broker/bubblewrap.ts";
import { readMessages, sendMessage } from "../../broker/frames.ts";
import {
  LISTENER,
  type Message,
  type Preparation,
  type ProgramEnd,
  type Request,
  START_TIMEOUT_MS,
  type SocketLabel,
} from "../../broker/requests.ts";
import { ordinaryRights } from "../../ports/rights.ts";

const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../broker/main.ts" : "broker.js", import.meta.url),
);

export type BrokerOptions = Omit<Preparation, "ask"> & {
  /** The broker's user; undefined for the server's own user. */
  readonly user?: number | undefined;
};

/** A reply, and its sockets, keyed by name. */
type Answer = {
  readonly value: unknown;
  readonly sockets: Readonly<Record<string, Socket | undefined>>;
  /** Accepts connections to the browser's proxy. */
  readonly proxy: Server | undefined;
};

/** A pending request and the received parts of its reply. */
type Waiting = {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly sockets: Record<string, Socket>;
  proxy: Server | undefined;
  readonly accept: ((socket: Socket) => void) | undefined;
  reply: { readonly value: unknown; readonly sockets: readonly string[] } | undefined;
};

/** Node's internal handle of a listening socket. */
type Listener = { readonly close: () => void };

/** Time limits for a reply. Removing a sandbox takes longer, because all its files are deleted. */
const [ASK_TIMEOUT_MS, REMOVE_TIMEOUT_MS] = [START_TIMEOUT_MS + 5000, 60_000];

/**
 * The broker, which creates sandboxes, as a child process in its own namespaces. When the broker exits, all sandboxes
 * end. The broker exits with the server, even if the server is killed. Disposing this object stops the broker.
 */
export class BrokerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ends = new Map<number, PromiseWithResolvers<ProgramEnd>>();
  readonly #failure = Promise.withResolvers<Error>();
  /** Resolves if the broker exits before it is disposed. */
  readonly failed = this.#failure.promise;
  readonly #exited: Promise<void>;
  #requests = 0;
  #loss: Error | undefined;
  #isDisposed = false;

  private constructor(child: ChildProcess, channel: Duplex) {
    this.#child = child;
    this.#channel = channel;
    child.on("message", (label, socket) => this.#takeSocket(label as SocketLabel, socket as Socket | Listener));
    readMessages(channel, (message) => this.#take(message as Message));
    channel.on("error", () => {});
    this.#exited = once(child, "exit").then(([code, signal]) => this.#lose(String(code ?? signal)));
  }

  /** @throws {Error} If the broker can't be started. */
  static async start({ user, ...options }: BrokerOptions, rights = ordinaryRights): Promise<BrokerProcess> {
    const child = await rights.asRoot(() => startBroker(options.hasOwners, user));
    const broker = new BrokerProcess(child, child.stdio[4] as Duplex);
    try {
      await broker.ask({ ask: "prepare", ...options });
      return broker;
    } catch (error) {
      const isLost = broker.#loss !== undefined;
      await broker[Symbol.asyncDispose]();
      if (!isLost) throw error;
      throw new Error(
        "The broker, which creates sandboxes, could not start. It needs root or user namespaces. The reason is logged above.",
        { cause: error },
      );
    }
  }

  /** The session of the broker and all its sandboxes. */
  get session(): number {
    return this.#child.pid ?? 0;
  }

  /** @param accept Receives and owns connections to the proxy. @throws {Error} If the request or the broker fails. */
  ask(request: Request, accept?: (socket: Socket) => void): Promise<Answer> {
    this.#requests += 1;
    const re = this.#requests;
    if (this.#loss !== undefined) return Promise.reject(this.#loss);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting: Waiting = { resolve, reject, sockets: {}, proxy: undefined, accept, reply: undefined };
    this.#waiting.set(re, waiting);
    sendMessage(this.#channel, { re, ...request });
    const timeoutMs = request.ask === "remove" ? REMOVE_TIMEOUT_MS : ASK_TIMEOUT_MS;
    const timer = setTimeout(() => this.#abandon(re, waiting, `${request.ask} within ${timeoutMs} ms`), timeoutMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Rejects a timed-out request. The socket may have been lost because this process had no free descriptor. */
  #abandon(re: number, { reject, sockets, proxy }: Waiting, what: string): void {
    this.#waiting.delete(re);
    for (const socket of Object.values(sockets)) socket.destroy();
    proxy?.close();
    reject(new Error(`The broker did not reply to ${what}.`));
  }

  /** Resolves when a program has exited; never rejects. Call it once per program. */
  async whenEnded(program: number): Promise<ProgramEnd> {
    const end = await this.#endOf(program).promise;
    this.#ends.delete(program);
    return end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
  }

  #take(message: Message): void {
    if ("ended" in message) {
      const { ended, ...end } = message;
      return this.#endOf(ended).resolve(end);
    }
    const waiting = this.#waiting.get(message.re);
    if (waiting === undefined) return;
    if ("error" in message) {
      this.#waiting.delete(message.re);
      const { message: text, code } = message.error;
      return waiting.reject(Object.assign(new Error(text), { code }));
    }
    waiting.reply = message;
    this.#settle(message.re, waiting);
  }

  #takeSocket({ re, name }: SocketLabel, socket: Socket | Listener): void {
    const waiting = this.#waiting.get(re);
    if (waiting === undefined) return void (socket instanceof Socket ? socket.destroy() : socket.close());
    if (socket instanceof Socket) waiting.sockets[name] = socket.on("error", () => {});
    // If no descriptor is free, the browser loses a connection, but the server keeps running.
    else
      waiting.proxy = createServer(waiting.accept)
        .on("error", () => {})
        .listen(socket, PROXY_BACKLOG);
    this.#settle(re, waiting);
  }

  /** Resolves a request once its reply and all sockets, which use separate channels, have arrived in any order. */
  #settle(re: number, { reply, sockets, proxy, resolve }: Waiting): void {
    const isHere = (name: string): boolean => (name === LISTENER ? proxy : sockets[name]) !== undefined;
    if (reply?.sockets.every(isHere) !== true) return;
    this.#waiting.delete(re);
    resolve({ value: reply.value, sockets, proxy });
  }

  #endOf(program: number): PromiseWithResolvers<ProgramEnd> {
    const known = this.#ends.get(program);
    if (known !== undefined) return known;
    const end = Promise.withResolvers<ProgramEnd>();
    this.#ends.set(program, end);
    return end;
  }

  /** Handles the broker's exit, which ends all its programs. */
  #lose(how: string): void {
    this.#loss = new Error(`The broker has ended: ${how}. All browsers ended with it.`);
    if (!this.#isDisposed) this.#failure.resolve(this.#loss);
    for (const { reject } of this.#waiting.values()) reject(this.#loss);
    this.#waiting.clear();
    for (const { resolve } of this.#ends.values()) resolve({ code: null, signal: "SIGKILL", isOverLimit: false });
  }
}

async function startBroker(hasOwners: boolean, user: number | undefined): Promise<ChildProcess> {
  const namespaces = [
    ...(hasOwners ? [] : ["--user", "--map-root-user"]),
    ...["--net", "--pid", "--fork", "--mount-proc", "--kill-child=KILL", "--"],
  ];
  const child = spawn("unshare", [...namespaces, process.execPath, PROGRAM], {
    ...(user === undefined ? {} : { uid: user, gid: user }),
    env: toEnvironment(),
    stdio: ["ignore", "inherit", "inherit", "ipc", "pipe"],
    // A separate session, which Ctrl-C at the server's terminal doesn't reach.
    detached: true,
  });
  await once(child, "spawn");
  return child;
}

/** Returns the broker's complete environment, which omits the keys and passwords in the server's environment. */
function toEnvironment(): Record<string, string> {
  // Node's cache is in a subfolder of the configured folder.
  const cache = getCompileCacheDir();
  return { PATH: "/usr/bin:/bin", ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }) };
}
