import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const START_MS = 180_000;
const STOP_MS = 10_000;
const SAID_CHARS = 4000;

/** A running program that is ready. Disposing stops the program, with SIGKILL if stopping takes too long. */
export type Program = AsyncDisposable & {
  /** The text that the first capture group matched in the ready line. */
  readonly ready: string;
  /** Returns the last 4,000 characters that the program has printed. */
  readonly said: () => string;
};

type Start = {
  /** The program's path. Default: Node. */
  readonly path?: string;
  /** The arguments: for Node, a file in the repository, and the arguments of that file. */
  readonly args: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** Matches the line that the program prints when it is ready. */
  readonly readyLine: RegExp;
};

/** Starts a program with a clean environment. If this process exits, the program is stopped. */
export async function startProgram({ path = process.execPath, args, settings, readyLine }: Start): Promise<Program> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn("setpriv", ["--pdeathsig", "TERM", "--", path, ...args], {
    env: { PATH, HOME, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    // Ctrl-C signals only this process, and this process stops the program.
    detached: true,
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const end = async (): Promise<void> => {
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    child.kill("SIGTERM");
    await closed;
    clearTimeout(late);
  };
  try {
    const { ready, said } = await readReady(child, closed, readyLine, args.join(" "));
    return { ready, said, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function readReady(
  child: ChildProcess,
  closed: Promise<unknown>,
  line: RegExp,
  name: string,
): Promise<Pick<Program, "ready" | "said">> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (text) => {
      said = `${said}${text}\n`.slice(-SAID_CHARS);
      const [, found] = line.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  }
  const late = setTimeout(() => reject(new Error(`${name} was not ready within ${START_MS} ms:\n${said}`)), START_MS);
  child.once("error", reject);
  void closed.then(() => reject(new Error(`${name} exited before it was ready:\n${said}`)));
  try {
    return { ready: await promise, said: () => said };
  } finally {
    clearTimeout(late);
  }
}
