import { spawn } from "node:child_process";
import { once } from "node:events";

/** Chromium's own sandbox doesn't work for root. If undefined, programs run as the bench's own user. */
export const USER = process.getuid?.() === 0 ? 65_534 : undefined;

const AS_USER = USER === undefined ? [] : [`--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"];

/** Maximum time between the start of a program and matching output. */
export const START_TIMEOUT_MS = 30_000;

export type RawProgram = {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** A program run as an unprivileged user. Disposal kills it and its children, and waits for it to exit. */
type RawProcess = AsyncDisposable & {
  /** Waits until stdout and stderr together match a pattern. @throws {Error} If the program exits before they match. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>;
};

export function startRaw(program: RawProgram): RawProcess {
  // `--pdeathsig` kills the program if the bench exits for any reason. `setpriv` takes a millisecond.
  const child = spawn("setpriv", ["--pdeathsig", "KILL", ...AS_USER, "--", program.command, ...program.arguments], {
    env: program.environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      child.emit("output");
    });
  }
  return {
    async says(pattern) {
      const over = AbortSignal.timeout(START_TIMEOUT_MS);
      for (;;) {
        const found = pattern.exec(output);
        if (found !== null) return found;
        if (child.exitCode !== null) throw new Error(`${program.command} exited before its output matched: ${output}`);
        await Promise.race([once(child, "output", { signal: over }), ended]);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}
