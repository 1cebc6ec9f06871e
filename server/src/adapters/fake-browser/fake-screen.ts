import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type Socket, connect } from "node:net";
import type { ViewerPasswords } from "../../domain/browser/desktop.ts";
import type { Screen } from "../../ports/display.ts";
import { serveViewer } from "./rfb-session.ts";
import { CHALLENGE_BYTES } from "./vnc-auth.ts";

/** A screen without a browser, on a loopback port. Disposing disconnects its viewers. */
export class FakeScreen implements Screen, AsyncDisposable {
  readonly #server: Server;
  readonly #viewers = new Set<Socket>();
  #passwords: ViewerPasswords | undefined;
  #closing: Promise<void> | undefined;

  static async start(): Promise<FakeScreen> {
    const screen = new FakeScreen();
    screen.#server.listen(0, "127.0.0.1");
    await once(screen.#server, "listening");
    return screen;
  }

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async setPasswords(passwords: ViewerPasswords | undefined): Promise<void> {
    this.#passwords = passwords;
  }

  async connect(signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("This screen is gone.");
    return connectTo(address.port, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  #serve(socket: Socket): void {
    this.#viewers.add(socket);
    socket.on("error", () => {}).once("close", () => this.#viewers.delete(socket));
    // Errors of one viewer concern only that viewer.
    const leave = (): void => void socket.end();
    serveViewer(socket, () => this.#passwords, randomBytes(CHALLENGE_BYTES)).then(leave, leave);
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const viewer of this.#viewers) viewer.destroy();
    await closed;
  }
}

/** Connects to a port on loopback. The caller owns the socket. @throws {Error} `signal.reason` if the signal is aborted. */
export async function connectTo(port: number, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect", { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}
