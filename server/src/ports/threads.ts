/** Who needs a result. */
export type Caller = {
  readonly signal: AbortSignal;
  /** The account. If threads are short, accounts take turns. */
  readonly account: string;
};

/** Runs long computations without blocking the event loop. */
export interface Threads {
  /**
   * Runs a script in its own thread, without access to the server's environment or objects.
   * @param script A module that reads `workerData`, posts one message and ends.
   * @param input Copied to the thread.
   * @param limitMs How much processor time the script may use. Time in which others have the processor doesn't count.
   * @returns The message.
   * @throws {ThreadOverrun} If the script takes too much time or memory. `signal.reason` if the caller's signal is
   * aborted:
   *   the thread has then ended, or never starts.
   */
  run(script: URL, input: unknown, limitMs: number, caller: Caller): Promise<unknown>;
}

/** A script took more time or memory than it may. */
export class ThreadOverrun extends Error {
  override readonly name = "ThreadOverrun";
}

/**
 * The URL of a thread's script in the folder of the file that starts it: a source, or a compiled file.
 * @param from That file's `import.meta.url`.
 */
export function threadScript(from: string, name: string): URL {
  return new URL(`./${name}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
}
