import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** The delay between SIGTERM and SIGKILL. */
const STOP_MS = 8000;

type ChildOptions = {
  readonly command: string;
  readonly arguments: readonly string[];
  /** The working directory. Default: the bench's. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The file that stderr is appended to. */
  readonly log: string;
  /** Whether stdout is also written to the log file, which makes `says` and `output` unavailable. */
  readonly logsOutput?: boolean;
};

/** A child process of the bench. Disposing stops the process and waits until it has exited. */
export class Child implements AsyncDisposable {
  readonly pid: number;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, pid: number) {
    this.#process = process;
    this.pid = pid;
  }

  static async start(options: ChildOptions): Promise<Child> {
    const log = openSync(options.log, "a");
    const { PATH = "", NODE_COMPILE_CACHE } = process.env;
    // If the bench exits for any reason, `--pdeathsig` also kills the child, unless the child changes its user. `npm
    // start` also sets `--no-new-privs`.
    const setpriv = ["--pdeathsig", "KILL", "--no-new-privs", "--"];
    const child = spawn("setpriv", [...setpriv, options.command, ...options.arguments], {
      cwd: options.folder,
      env: { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }), ...options.environment },
      stdio: ["ignore", options.logsOutput === true ? log : "pipe", log],
    });
    closeSync(log);
    await once(child, "spawn");
    if (child.pid === undefined) throw new Error(`${options.command} didn't start.`);
    return new Child(child, child.pid);
  }

  /** Waits until stdout matches a pattern. @throws {Error} If the process exits before a match, with its output. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    const { stdout } = this.#process;
    if (stdout === null) throw new Error("stdout isn't piped.");
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    let seen = "";
    stdout.setEncoding("utf8").on("data", (chunk: string) => {
      seen += chunk;
      const found = pattern.exec(seen);
      if (found) resolve(found);
    });
    stdout.once("end", () => reject(new Error(`The process exited before its output matched ${pattern}: ${seen}`)));
    return promise;
  }

  /** Waits until the process exits. @returns The contents of stdout. @throws {Error} If the exit code isn't 0. */
  async output(): Promise<string> {
    const { stdout } = this.#process;
    const ended = once(this.#process, "close");
    const [output, [code]] = await Promise.all([stdout === null ? "" : text(stdout), ended]);
    if (code !== 0) throw new Error(`The process exited with code ${code}: ${output}`);
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
