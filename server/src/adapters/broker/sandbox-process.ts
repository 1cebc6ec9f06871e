import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { RunningProgram } from "./host-program.ts";
import { orAborted, withTimeout } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ProcessOutput, SandboxProcess } from "../../ports/sandboxes.ts";

const MAX_CHARACTERS = 4000;

/** Chromium logs a few kilobytes at startup and little after that. Reading without a limit could block the server. */
const [BURST_BYTES, BYTES_PER_MS] = [2 ** 20, 256] as const;
/** Each read counts as at least this size, because even short reads take time. */
const READ_BYTES = 4096;

type OutputClock = Pick<Clock, "after" | "elapsedMs">;

type LimitedOutput = ProcessOutput & {
  /** Removes the limit, so that the remaining output is read at full speed. */
  lift(): void;
};

export function toSandboxProcess(program: RunningProgram, clock: OutputClock): SandboxProcess {
  const { ended } = program;
  const log = readOutput(program.stderr, clock);
  const output = readOutput(program.stdout, clock);
  const toError = (what: string, cause?: unknown): Error =>
    new Error(`The program ${what}. Its log ends: ${log.tail.trim() || "(nothing)"}`, { cause });
  return {
    log,
    output,
    ended,
    readProcessorMs: () => program.readProcessorMs(),
    async whenReady(readiness, timeoutMs, signal) {
      const isReady = readiness.catch((cause: unknown) => {
        throw toError("did not come up", cause);
      });
      const hasEnded = ended.then(({ code, signal: killedBy }) => {
        throw toError(`exited with ${code ?? killedBy}`);
      });
      const outcome = Promise.race([isReady, hasEnded]);
      // Prevents an unhandled rejection if `signal` is already aborted.
      outcome.catch(() => {});
      const limit = { timeoutMs, clock, toError: () => toError(`was not ready in ${timeoutMs} ms`), signal };
      return withTimeout(limit, (either) => orAborted(outcome, either));
    },
    async [Symbol.asyncDispose]() {
      for (const each of [log, output]) each.lift();
      await program.kill();
    },
  };
}

/** Reads a process's output at a limited rate, so that fast writers must wait. Keeps the last characters. */
export function readOutput(stream: Readable, clock: OutputClock): LimitedOutput {
  let tail = "";
  const searches = new Set<() => void>();
  const decoder = new StringDecoder("utf8");
  const rate = limitRate(stream, clock);
  stream.on("data", (chunk: Buffer) => {
    rate.count(chunk.length);
    tail += decoder.write(chunk);
    // Search before the text is cut, because a chunk can be longer than the tail.
    for (const search of searches) search();
    tail = tail.slice(-MAX_CHARACTERS);
  });
  return {
    lift: () => rate.lift(),
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

type Rate = {
  /** Pauses the stream if it has sent too much. */
  count(bytes: number): void;
  /** Removes the limit. */
  lift(): void;
};

function limitRate(stream: Readable, clock: OutputClock): Rate {
  // While a stream is paused, Node buffers chunks up to this size, and 64 kB in one-byte chunks use 20 MB of memory.
  // Node has no public API to set the buffer size of an existing socket.
  Object.assign(Reflect.get(stream, "_readableState"), { highWaterMark: 1 });
  let [left, atMs, isLimited] = [BURST_BYTES, clock.elapsedMs(), true];
  return {
    count(bytes) {
      const nowMs = clock.elapsedMs();
      left = Math.min(BURST_BYTES, left + (nowMs - atMs) * BYTES_PER_MS) - Math.max(bytes, READ_BYTES);
      atMs = nowMs;
      if (left >= 0 || !isLimited) return;
      stream.pause();
      clock.after(-left / BYTES_PER_MS, () => stream.resume());
    },
    lift() {
      isLimited = false;
      stream.resume();
    },
  };
}
