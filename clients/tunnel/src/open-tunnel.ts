import { randomUUID } from "node:crypto";
import { BrowserLink } from "./browser-link.ts";
import { type Destination, readDestination } from "./destination.ts";
import { createDevtoolsPort } from "./devtools-port.ts";
import { listen } from "./listener.ts";
import { createViewerPort, probeDesktop } from "./viewer-port.ts";

/** Those that the programs which connect look at by themselves. */
const USUAL_PORT: Record<Destination["kind"], number> = { devtools: 9222, desktop: 5900 };

export type TunnelOptions = {
  /** An `address` of Open, or an `rfbUrl` or `url` of StartRemoteDesktop. */
  readonly address: string;
  /** The port of 127.0.0.1 to listen on, 0 for a free one; by default 9222 for a browser, 5900 for a desktop. */
  readonly port?: number;
  /** Told what happens to single connections, in a sentence each; nobody by default. */
  readonly onNotice?: (notice: string) => void;
};

/**
 * A local port that leads to a browser or to its desktop. Every program of this machine can use it, whoever runs it; web
 * pages and other machines can't. Disposing closes the port and every connection through it, and leaves the browser as it
 * is; twice is safe, and it never throws.
 */
export interface Tunnel extends AsyncDisposable {
  /** `devtools`: the port looks like a Chromium started with --remote-debugging-port. `desktop`: it speaks RFB. */
  readonly kind: Destination["kind"];
  readonly port: number;
  /** The browser's version, as `Chrome/156.0.8078.79`; undefined for a desktop. */
  readonly version: string | undefined;
  /**
   * Resolves with a sentence that says why, when what the tunnel leads to has ended or is out of reach for good; never
   * rejects. The tunnel is still to be disposed. The end of a desktop shows when a viewer is connected or connects.
   */
  readonly ended: Promise<string>;
}

/**
 * Opens a tunnel. One to a browser is a DevTools client of it: while it is open, the browser is not inactive.
 * @throws {TunnelFailure} When the address leads nowhere, or the port can't be listened on; nothing is held then.
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
