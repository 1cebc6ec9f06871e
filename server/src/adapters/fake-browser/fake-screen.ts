import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type NetConnectOpts, type Server, type Socket } from "node:net";
import type { ViewerPasswords } from "../../domain/browser/desktop.ts";
import type { Screen } from "../../ports/display.ts";
import { connectTo } from "../rfb/connect-to.ts";
import { serveViewer } from "./rfb-session.ts";
import { CHALLENGE_BYTES } from "../rfb/vnc-auth.ts";

/** A screen without a browser, on a local socket. Disposing the screen disconnects its viewers. */
export class FakeScreen implements Screen, AsyncDisposable {
  readonly #server: Server;
  readonly #target: NetConnectOpts;
  readonly #viewers = new Set<Socket>();
  #passwords: ViewerPasswords | undefined;
  #closing: Promise<void> | undefined;

  static async start(): Promise<FakeScreen> {
    const server = createServer((socket) => screen.#serve(socket));
    const screen: FakeScreen = new FakeScreen(server, await listenLocally(server));
    return screen;
  }

  private constructor(server: Server, target: NetConnectOpts) {
    this.#server = server;
    this.#target = target;
  }

  async setPasswords(passwords: ViewerPasswords | undefined): Promise<void> {
    this.#passwords = passwords;
  }

  async connect(signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    if (this.#closing !== undefined) throw new Error("This screen has closed.");
    return connectTo(this.#target, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  #serve(socket: Socket): void {
    this.#viewers.add(socket);
    socket.on("error", () => {}).once("close", () => this.#viewers.delete(socket));
    // A viewer's error only affects that viewer.
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

/**
 * Makes a server listen on an abstract Unix socket, or on a loopback port if abstract sockets aren't supported. With
 * thousands of ports in use, finding a free port takes longer than the rest of an Open. @returns The server's address.
 */
export async function listenLocally(server: Server): Promise<NetConnectOpts> {
  const path = `\0rbs-fake-${randomBytes(16).toString("hex")}`;
  server.listen(process.platform === "linux" ? { path } : { port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? { port: address.port, host: "127.0.0.1" } : { path };
}
