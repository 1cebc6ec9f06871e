import { randomUUID } from "node:crypto";
import { BrowserLink } from "./browser-link.ts";
import { type Destination, readDestination } from "./destination.ts";
import { createDevtoolsPort } from "./devtools-port.ts";
import { listen } from "./listener.ts";
import { createViewerPort, probeDesktop } from "./viewer-port.ts";

/** The ports that common tools use by default. */
const USUAL_PORT: Record<Destination["kind"], number> = { devtools: 9222, desktop: 5900 };

export type TunnelOptions = {
  /** An `address` from Open, or an `rfbUrl` or `url` from StartRemoteDesktop. */
  readonly address: string;
  /** The port to listen on at 127.0.0.1. 0 means a free port. Default: 9222 for a browser, 5900 for a desktop. */
  readonly port?: number;
  /** Receives one-sentence messages about individual connections. By default, these messages are discarded. */
  readonly onNotice?: (notice: string) => void;
};

/**
 * A local port that connects to a browser or its desktop. Programs on this machine can use the port, but web pages and
 * other machines can't. Disposing closes the port and its connections, and leaves the browser open. Disposing never
 * throws, and can be repeated.
 */
export interface Tunnel extends AsyncDisposable {
  /** With `devtools`, the port acts like Chromium's --remote-debugging-port. With `desktop`, the port speaks RFB. */
  readonly kind: Destination["kind"];
  readonly port: number;
  /** The browser's version, such as `Chrome/156.0.8078.79`. Undefined for a desktop. */
  readonly version: string | undefined;
  /**
   * Never rejects. Resolves with an explanation once the browser or desktop has closed or is unreachable. Dispose the
   * tunnel afterward. If a desktop stops while no viewer is connected, its tunnel detects this only when a viewer
   * connects.
   */
  readonly ended: Promise<string>;
}

/**
 * Opens a tunnel. A tunnel to a browser counts as a DevTools client, so the browser doesn't become inactive.
 * @throws {TunnelFailure} If the target is unreachable, or the port can't be used. All connections are closed first.
 */
export async function openTunnel(options: TunnelOptions): Promise<Tunnel> {
  const { kind, url } = readDestination(options.address);
  const port = options.port ?? USUAL_PORT[kind];
  return kind === "devtools" ? openToBrowser(url, port) : openToDesktop(url, port, options.onNotice ?? (() => {}));
}

async function openToBrowser(url: URL, port: number): Promise<Tunnel> {
  const link = await BrowserLink.open(url);
  try {
    const listener = await listen(createDevtoolsPort(link, url, randomUUID()), port);
    return {
      kind: "devtools",
      port: listener.port,
      version: link.version.product,
      ended: link.ended,
      async [Symbol.asyncDispose]() {
        link[Symbol.dispose]();
        await listener[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    link[Symbol.dispose]();
    throw error;
  }
}

async function openToDesktop(url: URL, port: number, note: (notice: string) => void): Promise<Tunnel> {
  await probeDesktop(url);
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const listener = await listen(createViewerPort(url, { note, end }), port);
  return {
    kind: "desktop",
    port: listener.port,
    version: undefined,
    ended,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
