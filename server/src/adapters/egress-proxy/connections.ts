import { connect, type LookupFunction, type Socket } from "node:net";
import { connectForTunnel } from "./splice.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import { tooManyConnections } from "./refusal.ts";
import type { Traffic } from "../../ports/egress.ts";

/** Time in ms after which a pending connection also tries the name's next address. */
const NEXT_ADDRESS_MS = 500;
const KEEP_ALIVE_MS = 60_000;

type Peer = {
  readonly port: number;
  /** Resolves every name to the allowed addresses. */
  readonly lookup: LookupFunction;
  /** Whether the connection is for a tunnel rather than for plain HTTP requests. */
  readonly isForTunnel: boolean;
};

/** Counts the traffic of a browser's network connections on one route, and can close them all. */
export class Connections {
  readonly #traffic: TrafficCounter;
  readonly #connectTimeoutMs: number;
  readonly #open = new Set<Socket>();
  #isCut = false;

  /** @param connectTimeoutMs Time limit for connecting, including the handshake with an upstream proxy. */
  constructor(traffic: TrafficCounter, connectTimeoutMs: number) {
    this.#traffic = traffic;
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  /**
   * Connects, performs the handshake, and returns its socket, which the caller owns.
   * @param signal Destroys the socket if aborted before the promise resolves.
   * @throws {Error} If connecting fails. The error has a code, and the socket has been destroyed.
   */
  async connect(peer: Peer, handshake: (socket: Socket) => Promise<Socket>, signal?: AbortSignal): Promise<Socket> {
    if (this.#isCut || signal?.aborted === true) throw closed("ECONNRESET");
    if (this.#traffic.isFull) throw tooManyConnections();
    const socket = this.#connect(peer);
    const timer = setTimeout(() => socket.destroy(closed("ETIMEDOUT")), this.#connectTimeoutMs);
    const onAbort = () => socket.destroy();
    signal?.addEventListener("abort", onAbort, { once: true });
    const lost = new AbortController();
    socket.once("error", (error) => lost.abort(error));
    socket.once("close", () => lost.abort(closed("ECONNRESET")));
    const { promise: connected, resolve } = Promise.withResolvers<void>();
    socket.once("connect", resolve);
    try {
      return await orAborted(
        connected.then(() => handshake(socket)),
        lost.signal,
      );
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Destroys all connections, and refuses to open new ones. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  #connect({ port, lookup, isForTunnel }: Peer): Socket {
    const socket = (isForTunnel ? connectForTunnel : connect)({
      // This must be a name, because Node doesn't call the lookup for addresses.
      host: "allowed.invalid",
      port,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    });
    this.#open.add(socket);
    socket.on("error", () => undefined);
    this.#traffic.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  }
}

export function isLost(error: NodeJS.ErrnoException | null | undefined): boolean {
  return error?.code === "ECONNRESET" || error?.code === "EPIPE";
}

/**
 * Makes a socket ignore failed writes to a closed connection. Otherwise, Node would destroy the socket before reading
 * the peer's response has been read. Reads still detect the end of the connection.
 */
export function keepReading(socket: Socket): Socket {
  const [write, writev] = [socket._write.bind(socket), socket._writev?.bind(socket)];
  const forgive =
    (done: (error?: Error | null) => void) =>
    (error?: Error | null): void =>
      done(isLost(error) ? null : error);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, forgive(done));
  socket._writev = (chunks, done) => writev?.(chunks, forgive(done));
  return socket;
}

/** Counts a browser's connections and traffic across all its routes. */
export class TrafficCounter {
  readonly #maxConnections: number;
  readonly #open = new Set<Socket>();
  #sent = 0;
  #received = 0;

  constructor(maxConnections: number) {
    this.#maxConnections = maxConnections;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#maxConnections;
  }

  add(socket: Socket): void {
    this.#open.add(socket);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#sent += socket.bytesWritten;
      this.#received += socket.bytesRead;
    });
  }

  get total(): Traffic {
    let [sent, received] = [this.#sent, this.#received];
    for (const socket of this.#open) {
      sent += socket.bytesWritten;
      received += socket.bytesRead;
    }
    return { sent, received };
  }
}

function closed(code: "ECONNRESET" | "ETIMEDOUT"): Error {
  return Object.assign(new Error("The connection was closed or timed out."), { code });
}
