import { Failure } from "../../domain/failure.ts";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { PNG } from "pngjs";
import { WebSocketServer } from "ws";
import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { BrowserExit, BrowserHost, BrowserSpec, HostedBrowser } from "../../ports/browser-host.ts";
import { type Size, USUAL_SCREEN } from "../../domain/browser/screen.ts";
import type { Picture, Thumbnail } from "../../ports/display.ts";
import { reply } from "./fake-devtools.ts";
import { connectTo } from "../rfb/connect-to.ts";
import { FakeScreen, listenLocally } from "./fake-screen.ts";
import { COLOUR, HEIGHT, WIDTH } from "./viewing.ts";

const DEVTOOLS_PATH = "/devtools/browser/fake";
/** PNG's colour type for pixels without transparency. */
const RGB = 2;
const NO_FILTER = 0;
const SCALE = /^--force-device-scale-factor=(.+)/;

/**
 * A browser host for tests and client developers. Its fake browsers support the DevTools commands of
 * `fake-devtools.ts`, and show an empty screen unless they are headless.
 * @param kinds The kinds that are reported as installed.
 * @param startMs Average duration of a start, in whole ms. The actual duration is random, up to twice as long.
 */
export class FakeHost implements BrowserHost {
  readonly kinds: ReadonlySet<BrowserKind>;
  readonly #open = new Set<HostedBrowser>();
  readonly #startMs: number;

  constructor(kinds: Iterable<BrowserKind> = ["chromium", "chrome-headless-shell"], startMs = 0) {
    this.kinds = new Set(kinds);
    this.#startMs = startMs;
  }

  /** Number of running browsers. */
  get running(): number {
    return this.#open.size;
  }

  async launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser> {
    signal.throwIfAborted();
    if (this.#startMs > 0) {
      // `wait` rejects with its own error, not with the signal's reason.
      await wait(randomInt(2 * this.#startMs + 1), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    const browser = await startBrowser(spec, () => this.#open.delete(browser)).catch((cause: unknown) => {
      throw new Failure("BrowserUnavailable", "The fake browser did not start.", { cause });
    });
    this.#open.add(browser);
    return browser;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open].map((browser) => browser[Symbol.asyncDispose]()));
  }
}

async function startBrowser({ id, isHeadless, switches }: BrowserSpec, onStopped: () => void): Promise<HostedBrowser> {
  await using acquired = new AsyncDisposableStack();
  const server = createServer();
  const { promise: gone, resolve: leave } = Promise.withResolvers<BrowserExit>();
  const sockets = new WebSocketServer({ server, path: DEVTOOLS_PATH });
  // The WebSocket server re-emits the HTTP server's errors, which are reported below.
  sockets.on("error", () => {});
  sockets.on("connection", (socket) => {
    // Invalid frames close only this connection.
    socket.on("error", () => {});
    socket.on("message", (data: Buffer) => {
      const { text, exit } = reply(data.toString());
      const end = (): void => void (exit !== undefined && leave(exit));
      if (text === undefined) end();
      else socket.send(text, end);
    });
  });
  const target = await listenLocally(server);
  acquired.defer(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const screen = isHeadless ? undefined : acquired.use(await FakeScreen.start());
  const [, scale = 1] = switches.map((each) => SCALE.exec(each)).find(Boolean) ?? [];
  const resources = acquired.move();
  let stopped: Promise<void> | undefined;
  /** The page's size in CSS pixels. */
  let size: Size = USUAL_SCREEN;
  const checkRunning = (signal: AbortSignal): void => {
    signal.throwIfAborted();
    if (stopped !== undefined) throw new Error("The browser has ended.");
  };
  return {
    id,
    devtoolsPath: DEVTOOLS_PATH,
    screen,
    gone,
    connect: (signal) => connectTo(target, signal),
    async takeThumbnail(signal) {
      checkRunning(signal);
      return (thumbnail ??= draw(WIDTH, HEIGHT));
    },
    async takeScreenshot(signal) {
      checkRunning(signal);
      return draw(Math.round(size.width * Number(scale)), Math.round(size.height * Number(scale)));
    },
    async resizePage(wanted) {
      size = wanted;
    },
    reroute() {},
    assign() {},
    isOutdated: () => false,
    traffic: () => ({ sent: 0, received: 0 }),
    [Symbol.asyncDispose]: () => (stopped ??= resources.disposeAsync().then(onStopped)),
  };
}

/** Drawn only once, because fake browsers' screens never change. Headless fake browsers use the same thumbnail. */
let thumbnail: Thumbnail | undefined;

function draw(width: number, height: number): Picture {
  const png = new PNG({ width, height });
  png.data = Buffer.alloc(width * height * COLOUR.length, Uint8Array.from(COLOUR));
  const bytes = PNG.sync.write(png, {
    colorType: RGB,
    inputColorType: RGB,
    inputHasAlpha: false,
    filterType: NO_FILTER,
  });
  return { type: "image/png", bytes };
}
