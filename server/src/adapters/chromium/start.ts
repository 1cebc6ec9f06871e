import type { Readable } from "node:stream";
import type { CellProcess } from "../../ports/isolation.ts";
import { LogTail } from "./log-tail.ts";

const LISTENING = /^DevTools listening on ws:\/\/[^/]+(?<path>\/devtools\/browser\/\S+)$/m;

/** A browser did not come up; its message is for the log. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/**
 * Waits until a browser answers DevTools commands.
 * @param signal Aborted when nobody wants the browser any more.
 * @returns The path of its DevTools endpoint.
 * @throws {StartError} When it exits or stays silent, with the end of its own log.
 */
export async function awaitDevtools(process: CellProcess, timeoutMs: number, signal: AbortSignal): Promise<string> {
  const log = new LogTail(process.stderr);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const fail = (what: string): void => reject(new StartError(`The browser ${what}. Its log ends: ${log.text}`));
  const timer = setTimeout(() => fail(`was not ready in ${timeoutMs} ms`), timeoutMs);
  const leave = (): void => reject(signal.reason);
  signal.addEventListener("abort", leave);
  void process.ended.then((end) => fail(`exited with ${end.code ?? end.signal}`));
  try {
    signal.throwIfAborted();
    const [path] = await Promise.race([Promise.all([readPath(process.stderr, log), process.waysOpen]), stopped]);
    return path;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    // When both lose the race, nobody else hears of the second.
    stopped.catch(() => {});
  }
}

/** The line in which Chromium says that its DevTools listen, and where. */
function readPath(stderr: Readable, log: LogTail): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = (): void => {
    const path = LISTENING.exec(log.text)?.groups?.["path"];
    if (path === undefined) return;
    stderr.off("data", read);
    resolve(path);
  };
  stderr.on("data", read);
  return promise;
}
