import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findExecutables } from "../../../../server/test/interface.ts";
import { DevtoolsClient } from "../../devtools/client.ts";
import { readProgram } from "../../measure/processes.ts";
import { Child } from "../processes/child.ts";
import { findFreePort } from "../browsers/raw-browser.ts";

const START_TIMEOUT_MS = 60_000;
const START_POLL_MS = 100;
const END_TIMEOUT_MS = 30_000;
const END_POLL_MS = 2;

/** Another browser service that users can install themselves. */
export type PeerKind = {
  readonly name: string;
  /** The path of the peer's package, relative to the user's folder. */
  readonly root: string;
  /** The path of the peer's program, relative to the package. */
  readonly entry: string;
  /** The command that installs the peer in the current folder. */
  readonly install: string;
  /** The number of browsers that the peer can open at the same time, at most 8. */
  readonly atOnce: number;
  /** The path of the peer's cheapest GET request, which succeeds when the peer is ready. */
  readonly probe: string;
  /** @returns The peer's settings, except the address. */
  configure(place: PeerPlace): Promise<Readonly<Record<string, string>>>;
  /** Opens a headless browser, unless connecting opens one. @returns The path of the browser's WebSocket. */
  open(url: URL): Promise<{ readonly path: string; readonly close: () => Promise<void> }>;
};

export type PeerPlace = {
  /** The package's folder. */
  readonly root: string;
  /** A folder for the peer's process. */
  readonly folder: string;
  /** The path of the machine's Chromium. */
  readonly chromium: string;
};

/** An installed peer. */
export type FoundPeer = { readonly kind: PeerKind; readonly root: string; readonly version: string };

/** A peer's browser. Disposing closes the browser and waits until its processes have exited. */
type PeerBrowser = AsyncDisposable & { readonly client: DevtoolsClient };

/** A peer's process, which uses the Chromium installed on the machine. */
export class Peer implements AsyncDisposable {
  readonly url: URL;
  readonly #kind: PeerKind;
  readonly #child: Child;

  private constructor(kind: PeerKind, child: Child, url: URL) {
    this.#kind = kind;
    this.#child = child;
    this.url = url;
  }

  /** Starts a peer and waits until it responds. @param folder A new folder for this process only. */
  static async start({ kind, root }: FoundPeer, folder: string): Promise<Peer> {
    const chromium = findExecutables().get("chromium")?.path;
    if (chromium === undefined) throw new Error("Chromium is not installed.");
    await mkdir(folder);
    const [host, port] = ["127.0.0.1", await findFreePort()];
    const settings = await kind.configure({ root, folder, chromium });
    const child = await Child.start({
      command: process.execPath,
      arguments: [join(root, kind.entry)],
      folder: root,
      environment: { HOME: folder, TMPDIR: folder, HOST: host, PORT: `${port}`, ...settings },
      log: join(folder, "log"),
      logsOutput: true,
    });
    const peer = new Peer(kind, child, new URL(`http://${host}:${port}`));
    try {
      await peer.#untilReady();
      return peer;
    } catch (error) {
      await child[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The URL of the peer's cheapest GET request. */
  get probe(): URL {
    return new URL(this.#kind.probe, this.url);
  }

  /** Opens a headless browser, connects to it, and waits for its first DevTools response. */
  async open(): Promise<PeerBrowser> {
    const { path, close } = await this.#kind.open(this.url);
    const client = await DevtoolsClient.connect({ host: this.url.hostname, port: Number(this.url.port) }, path);
    await client.call("Browser.getVersion");
    return {
      client,
      async [Symbol.asyncDispose]() {
        const { processInfo } = await client.call("SystemInfo.getProcessInfo");
        client[Symbol.dispose]();
        await close();
        await untilGone((processInfo as { id: number }[]).map(({ id }) => id));
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }

  async #untilReady(): Promise<void> {
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    const isReady = (): Promise<boolean> =>
      fetch(this.probe, { signal }).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) {
      if (readProgram(this.pid) === undefined) throw new Error(`${this.#kind.name} ended before it was ready.`);
      await wait(START_POLL_MS, undefined, { signal });
    }
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
  const signal = AbortSignal.timeout(END_TIMEOUT_MS);
  while (pids.some((pid) => readProgram(pid) !== undefined)) await wait(END_POLL_MS, undefined, { signal });
}
