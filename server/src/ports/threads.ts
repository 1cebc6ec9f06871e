/** The caller that is waiting for a result. */
export type Caller = {
  readonly signal: AbortSignal;
  /** The caller's account. Accounts take turns when threads are scarce. */
  readonly account: string;
};

/** Runs long computations without blocking the event loop. */
export interface Threads {
  /**
   * Runs a script in its own thread, without access to the server's environment or objects.
   * @param script A module that reads `workerData`, posts one message and ends.
   * @param input Copied to the thread.
   * @param limitMs The script's CPU time limit.
   * @returns The message.
   * @throws {ThreadOverrun} If the script uses too much time or memory. `signal.reason` if the caller's signal is
   * aborted, either before the thread starts or after it has ended.
   */
  run(script: URL, input: unknown, limitMs: number, caller: Caller): Promise<unknown>;
}

/** A script exceeded its time or memory limit. */
export class ThreadOverrun extends Error {
  override readonly name = "ThreadOverrun";
}

/**
 * Returns the URL of a thread's source or compiled script, in the same folder as the module that starts the thread.
 * @param from The module's `import.meta.url`.
 */
export function threadScript(from: string, name: string): URL {
  return new URL(`./${name}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
}
