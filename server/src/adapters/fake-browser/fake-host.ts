import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { WebSocketServer } from "ws";
import { type BrowserKind, notInstalled } from "../../domain/browser/browser-kind.ts";
import type { BrowserExit, BrowserHost, BrowserSpec, HostedBrowser } from "../../ports/browser-host.ts";
import type { Traffic } from "../../ports/egress.ts";
import type { Picture } from "../../ports/picture.ts";
import { reply } from "./fake-devtools.ts";
import { fakePicture } from "./fake-picture.ts";
import { FakeScreen } from "./fake-screen.ts";

const DEVTOOLS_PATH = "/devtools/browser/fake";

/**
 * A host without browsers, for rules and for clients: what it opens speaks as much DevTools as `fake-devtools.ts` knows,
 * and, unless it is headless, shows an empty screen.
 * @param kinds The kinds it claims to have.
 */
export class FakeHost implements BrowserHost {
  readonly kinds: ReadonlySet<BrowserKind>;
  readonly #open = new Set<FakeBrowser>();

  constructor(kinds: Iterable<BrowserKind> = ["chromium", "chrome-headless-shell"]) {
    this.kinds = new Set(kinds);
  }

  /** Browsers that run now. */
  get running(): number {
    return this.#open.size;
  }

  async open(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser> {
    if (!this.kinds.has(spec.kind)) throw notInstalled(spec.kind, this.kinds);
    signal.throwIfAborted();
    const browser = await FakeBrowser.start(spec, () => this.#open.delete(browser));
    this.#open.add(browser);
    return browser;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open].map((browser) => browser[Symbol.asyncDispose]()));
  }
}

class FakeBrowser implements HostedBrowser {
  readonly devtoolsPath = DEVTOOLS_PATH;
  readonly screen: FakeScreen | undefined;
  readonly gone: Promise<BrowserExit>;
  readonly #port: number;
  readonly #stop: () => Promise<void>;
  #stopped: Promise<void> | undefined;

  static async start({ isHeadless }: BrowserSpec, onStopped: () => void): Promise<FakeBrowser> {
    const server = createServer();
    const { promise: gone, resolve: leave } = Promise.withResolvers<BrowserExit>();
    const sockets = new WebSocketServer({ server, path: DEVTOOLS_PATH });
    sockets.on("connection", (socket) => {
      // What is no WebSocket ends its own connection, and nothing else.
      socket.on("error", () => {});
      socket.on("message", (data: Buffer) => {
        const { text, isLast } = reply(data.toString());
        socket.send(text, () => isLast && leave("exited"));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
    const screen = isHeadless ? undefined : await FakeScreen.start();
    return new FakeBrowser(address.port, screen, gone, async () => {
      await screen?.[Symbol.asyncDispose]();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      onStopped();
    });
  }

  private constructor(
    port: number,
    screen: FakeScreen | undefined,
    gone: Promise<BrowserExit>,
    stop: () => Promise<void>,
  ) {
    this.#port = port;
    this.screen = screen;
    this.gone = gone;
    this.#stop = stop;
  }

  async connect(signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const socket = connect(this.#port, "127.0.0.1");
    try {
      await once(socket, "connect", { signal });
      return socket;
    } catch (error) {
      socket.destroy();
      throw signal.aborted ? signal.reason : error;
    }
  }

  async takePicture(signal: AbortSignal): Promise<Picture> {
    signal.throwIfAborted();
    if (this.#stopped !== undefined) throw new Error("The browser has ended.");
    return fakePicture();
  }

  reroute(): void {}

  traffic(): Traffic {
    return { sent: 0, received: 0 };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }
}
