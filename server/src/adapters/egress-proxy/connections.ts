import { connect, type LookupFunction, type Socket } from "node:net";
import type { Meter } from "./meter.ts";

/** Time for a second address of a name while the first has not answered. */
const NEXT_ADDRESS_MS = 500;
/** Silence after which the system asks a peer whether it is still there. */
const KEEP_ALIVE_MS = 60_000;

export type Peer = {
  readonly port: number;
  /** Answers the addresses that were admitted, whatever it is asked. */
  readonly lookup: LookupFunction;
};

/** One browser's connections to the network by one route: all it has are here, counted, and can be cut at once. */
export class Connections {
  readonly #meter: Meter;
  readonly #connectTimeoutMs: number;
  readonly #open = new Set<Socket>();
  #isCut = false;

  /** @param connectTimeoutMs Time allowed for a connection, the handshake with an upstream proxy included. */
  constructor(meter: Meter, connectTimeoutMs: number) {
    this.#meter = meter;
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  /**
   * Connects, and resolves with what the handshake makes of the socket. On every failure the socket is gone.
   * @param signal Aborted when nobody wants the connection any more; counts until it is open.
   */
  async open(peer: Peer, handshake: (socket: Socket) => Promise<Socket>, signal?: AbortSignal): Promise<Socket> {
    if (this.#isCut || signal?.aborted === true) throw closed("ECONNRESET");
    const socket = this.#connect(peer);
    const late = setTimeout(() => socket.destroy(closed("ETIMEDOUT")), this.#connectTimeoutMs);
    const abandon = () => socket.destroy();
    signal?.addEventListener("abort", abandon, { once: true });
    const lost = new Promise<never>((_resolve, reject) => {
      socket.once("error", reject);
      socket.once("close", () => reject(closed("ECONNRESET")));
    });
    try {
      return await Promise.race([connected(socket).then(() => handshake(socket)), lost]);
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", abandon);
      // From here on a lost connection is the business of whoever uses it.
      lost.catch(() => undefined);
    }
  }

  /** Destroys all connections and lets none be opened any more. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  #connect({ port, lookup }: Peer): Socket {
    const socket = connect({
      // Never an address here: Node would connect to it without asking the lookup.
      host: "admitted.invalid",
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
    this.#meter.count(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("connect", resolve));
}

function closed(code: "ECONNRESET" | "ETIMEDOUT"): Error {
  return Object.assign(new Error("The connection was given up."), { code });
}
