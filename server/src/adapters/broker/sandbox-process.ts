import type { Readable } from "node:stream";
import type { RunningProgram } from "./host-program.ts";
import { orAborted, withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ProcessOutput, SandboxProcess } from "../../ports/sandboxes.ts";

const MAX_CHARACTERS = 4000;

export function toSandboxProcess(program: RunningProgram, clock: Pick<Clock, "after">): SandboxProcess {
  const { ended } = program;
  const log = readOutput(program.stderr);
  const output = readOutput(program.stdout);
  const toError = (what: string, cause?: unknown): Error =>
    new Error(`The program ${what}. Its log ends: ${log.tail.trim() || "(nothing)"}`, { cause });
  return {
    log,
    output,
    ended,
    async whenReady(readiness, timeoutMs, signal) {
      const isReady = readiness.catch((cause: unknown) => {
        throw toError("did not come up", cause);
      });
      const hasEnded = ended.then(({ code, signal: killedBy }) => {
        throw toError(`exited with ${code ?? killedBy}`);
      });
      const outcome = Promise.race([isReady, hasEnded]);
      // Handles its rejection even when `signal` is aborted already.
      outcome.catch(() => {});
      const limit = { timeoutMs, clock, toError: () => toError(`was not ready in ${timeoutMs} ms`), signal };
      return withTimeout(limit, (either) => orAborted(outcome, either));
    },
    [Symbol.asyncDispose]: () => program.kill(),
  };
}

/** Reads everything that a process writes, and keeps the last characters. */
export function readOutput(stream: Readable): ProcessOutput {
  let tail = "";
  const searches = new Set<() => void>();
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    tail += chunk;
    // Search before the text is cut: one chunk can be longer than the tail.
    for (const search of searches) search();
    tail = tail.slice(-MAX_CHARACTERS);
  });
  return {
    get tail() {
      return tail;
    },
    find(pattern) {
      const { promise, resolve } = Promise.withResolvers<RegExpExecArray>();
      const search = (): void => {
        const match = pattern.exec(tail);
        if (match === null) return;
        searches.delete(search);
        resolve(match);
      };
      searches.add(search);
      search();
      return promise;
    },
  };
}
