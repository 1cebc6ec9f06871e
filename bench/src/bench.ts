import { chmod, glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Rounds } from "./measure/interleave.ts";
import type { Figure } from "./report/figure.ts";
import { Server, type ServerOptions } from "./subjects/server.ts";

/** Medians of fewer rounds say nothing; the first ones find caches cold and code not compiled yet. */
export const ROUNDS: Rounds = { rounds: 11, warmUps: 1 };

/** Of each process, when a row has failed. */
const LOG_LINES = 8;

/** Some lines of the table that are measured together. */
export type Row = {
  /** What `--only` calls it. */
  readonly name: string;
  measure(bench: Bench): Promise<readonly Figure[]>;
};

/** What rows share. Disposing ends every server and removes every folder. */
export class Bench implements AsyncDisposable {
  /** Called after every round of a row. */
  readonly tell: (done: number, all: number) => void;
  readonly #root: string;
  readonly #resources = new AsyncDisposableStack();
  readonly #servers = new Map<"jail" | "none", Promise<Server>>();
  #folders = 0;

  private constructor(root: string, tell: (done: number, all: number) => void) {
    this.#root = root;
    this.tell = tell;
    this.#resources.defer(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  }

  static async start(tell: (done: number, all: number) => void): Promise<Bench> {
    // Short: Chromium puts a Unix socket below it, whose path may have 107 bytes.
    const root = await mkdtemp("/var/tmp/rbs-bench-");
    // Browsers run as users of their own, who have to pass through it.
    await chmod(root, 0o711);
    return new Bench(root, tell);
  }

  /** A path of a folder that nobody else uses; whoever asked makes it. */
  newFolder(): string {
    this.#folders += 1;
    return join(this.#root, `${this.#folders}`);
  }

  /** A server that rows share, as long as none of its browsers is left open. */
  server(isolation: "jail" | "none"): Promise<Server> {
    const known = this.#servers.get(isolation);
    if (known !== undefined) return known;
    const starting = this.newServer({ isolation }).then((server) => this.#resources.use(server));
    this.#servers.set(isolation, starting);
    return starting;
  }

  /** A server of the caller's own, fresh. */
  newServer(options: ServerOptions): Promise<Server> {
    return Server.start(this.newFolder(), options);
  }

  /** What the processes that were started said last; for somebody who wonders why a row failed. */
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
