import { chmod, glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Figure } from "./report/figure.ts";
import { type FoundPeer, Peer } from "./subjects/peers/peer.ts";
import { type Postgres, startPostgres } from "../../server/test/interface.ts";
import { Server, type ServerOptions } from "./subjects/processes/server.ts";

/** PostgreSQL's default. */
const SHARED_BUFFERS = "128MB";

/** Number of lines to show from each process's log when a row fails. */
const LOG_LINES = 8;

/** Figures that are measured together. */
export type Row = {
  /** The row's name in `--only`. */
  readonly name: string;
  measure(bench: Bench): Promise<readonly Figure[]>;
};

/** Starts servers for rows. Disposing of the bench stops all servers and removes all folders. */
export class Bench implements AsyncDisposable {
  /** Called after every round of a row. */
  readonly report: (done: number, all: number) => void;
  readonly #root: string;
  readonly #resources = new AsyncDisposableStack();
  readonly #servers = new Map<"sandbox" | "none", Promise<Server>>();
  #folders = 0;

  private constructor(root: string, report: (done: number, all: number) => void) {
    this.#root = root;
    this.report = report;
    this.#resources.defer(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  }

  static async start(report: (done: number, all: number) => void): Promise<Bench> {
    // Short, because Chromium creates a Unix socket here, and a socket's path is limited to 107 bytes.
    const root = await mkdtemp("/var/tmp/rbs-bench-");
    // Browsers run as other users and need access to their folders.
    await chmod(root, 0o711);
    return new Bench(root, report);
  }

  /** Returns an unused path for a folder, which the caller creates. */
  newFolder(): string {
    this.#folders += 1;
    return join(this.#root, `${this.#folders}`);
  }

  /** Returns a server that rows share. Each row closes the browsers that it opens. */
  server(isolation: "sandbox" | "none"): Promise<Server> {
    const known = this.#servers.get(isolation);
    if (known !== undefined) return known;
    const starting = this.newServer({ isolation });
    this.#servers.set(isolation, starting);
    return starting;
  }

  /** Starts another server. The server stops when the bench does, unless the caller disposes of it earlier. */
  async newServer(options: ServerOptions): Promise<Server> {
    return this.#resources.use(await Server.start(this.newFolder(), options));
  }

  /**
   * Starts a PostgreSQL server with Debian's settings, which flush each transaction to disk. The server stops with the
   * bench unless the caller disposes of it earlier.
   */
  async newPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
    return this.#resources.use(
      await startPostgres({ shared_buffers: SHARED_BUFFERS, fsync: "on", ...settings }, { parent: this.#root }),
    );
  }

  /** Starts a peer. The bench must stop the peer properly: if the peer were killed, its browsers would keep running. */
  async newPeer(found: FoundPeer): Promise<Peer> {
    return this.#resources.use(await Peer.start(found, this.newFolder()));
  }

  /** Returns the last lines of all logs. */
  async readLogs(): Promise<string> {
    let all = "";
    for await (const path of glob(join(this.#root, "*/log"))) {
      const lines = (await readFile(path, "utf8")).trim().split("\n");
      all += `\n${lines.slice(-LOG_LINES).join("\n")}\n`;
    }
    return all;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}
