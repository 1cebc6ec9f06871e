import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Between a polite signal and the last one. */
const STOP_MS = 8000;

export type ChildOptions = {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** File that its standard error goes to. */
  readonly log: string;
};

/** What the scripts of package.json set for Node, so that it runs here as it does there. */
function inherited(): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}

/** A process of the bench. Disposing ends it, and waits until it is gone. */
export class Child implements AsyncDisposable {
  readonly pid: number;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, pid: number) {
    this.#process = process;
    this.pid = pid;
  }

  static async start(options: ChildOptions): Promise<Child> {
    const log = openSync(options.log, "a");
    // It dies with the bench, however that ends.
    const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", options.command, ...options.arguments], {
      env: { ...inherited(), ...options.environment },
      stdio: ["ignore", "pipe", log],
    });
    closeSync(log);
    await once(child, "spawn");
    if (child.pid === undefined) throw new Error(`${options.command} has no process.`);
    return new Child(child, child.pid);
  }

  /**
   * Waits for something on its standard output.
   * @throws {Error} When it ends before, with what it said.
   */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    const { stdout } = this.#process;
    if (stdout === null) throw new Error("Its standard output is not read.");
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    let seen = "";
    stdout.setEncoding("utf8").on("data", (chunk: string) => {
      seen += chunk;
      const found = pattern.exec(seen);
      if (found) resolve(found);
    });
    stdout.once("end", () => reject(new Error(`The process ended without saying ${pattern}: ${seen}`)));
    return promise;
  }

  /** Everything it says until it ends by itself. @throws {Error} When it fails. */
  async output(): Promise<string> {
    const { stdout } = this.#process;
    const ended = once(this.#process, "close");
    const [said, [code]] = await Promise.all([stdout === null ? "" : text(stdout), ended]);
    if (code !== 0) throw new Error(`The process ended with ${code}: ${said}`);
    return said;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), STOP_MS);
    await exited;
    clearTimeout(timer);
  }
}
