/** Computations that may take long, beside everybody else's. */
export interface Threads {
  /**
   * Runs a script in a thread of its own, which knows nothing but its input.
   * @param script A module that reads `workerData`, posts one message and ends.
   * @param input Copied to the thread.
   * @param timeoutMs From the script's start; waiting for a free thread does not count.
   * @returns The message.
   * @throws {ThreadOverrun} When it takes more time or memory than it may. `signal.reason` when that is aborted: the
   *   thread has ended then, or never starts.
   */
  run(script: URL, input: unknown, timeoutMs: number, signal: AbortSignal): Promise<unknown>;
}

/** A script took more time or memory than it was given. */
export class ThreadOverrun extends Error {
  override readonly name = "ThreadOverrun";
}

/**
 * Where a thread's script stands: beside the file that starts it, as a source or, compiled, all in one folder.
 * @param from That file's `import.meta.url`.
 */
export function threadScript(from: string, name: string): URL {
  return new URL(`./${name}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
}
