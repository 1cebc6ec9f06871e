import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** From SIGTERM to SIGKILL. */
const STOP_MS = 8000;

type ChildOptions = {
  readonly command: string;
  readonly arguments: readonly string[];
  /** Its working directory; by default the bench's. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The file for its standard error. */
  readonly log: string;
  /** Whether the file also gets its standard output, which nothing reads then. */
  readonly logsOutput?: boolean;
};

/** The settings of Node from the scripts of package.json. */
function inherited(): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}

/** A child process of the bench. Disposing ends it and waits until it has exited. */
export class Child implements AsyncDisposable {
  readonly pid: number;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, pid: number) {
    this.#process = process;
    this.pid = pid;
  }

  static async start(options: ChildOptions): Promise<Child> {
    const log = openSync(options.log, "a");
    // However the bench ends, the child ends as well, unless it changes its user. `npm start` also allows no new
    // rights.
    const child = spawn(
      "setpriv",
      ["--pdeathsig", "KILL", "--no-new-privs", "--", options.command, ...options.arguments],
      {
        cwd: options.folder,
        env: { ...inherited(), ...options.environment },
        stdio: ["ignore", options.logsOutput === true ? log : "pipe", log],
      },
    );
    closeSync(log);
    await once(child, "spawn");
    if (child.pid === undefined) throw new Error(`${options.command} didn't start.`);
    return new Child(child, child.pid);
  }

  /**
   * Waits until its standard output matches a pattern.
   * @throws {Error} With its output, when it ends first.
   */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    const { stdout } = this.#process;
    if (stdout === null) throw new Error("The standard output is not piped.");
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    let seen = "";
    stdout.setEncoding("utf8").on("data", (chunk: string) => {
      seen += chunk;
      const found = pattern.exec(seen);
      if (found) resolve(found);
    });
    stdout.once("end", () => reject(new Error(`The process ended before its output matched ${pattern}: ${seen}`)));
    return promise;
  }

  /** Waits until it ends. @returns Its output. @throws {Error} When its exit code is not 0. */
  async output(): Promise<string> {
    const { stdout } = this.#process;
    const ended = once(this.#process, "close");
    const [output, [code]] = await Promise.all([stdout === null ? "" : text(stdout), ended]);
    if (code !== 0) throw new Error(`The process ended with ${code}: ${output}`);
    return output;
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
