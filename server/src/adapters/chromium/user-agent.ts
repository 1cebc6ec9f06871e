import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { identify } from "./executables.ts";

const TIMEOUT_MS = 5000;

/**
 * Starts reading a browser's version early, so that the first launch that needs the user agent doesn't have to wait.
 * @returns Reads the user agent of the same browser with a window; undefined while its version is unknown.
 */
export function prefetchUserAgent(path: string, signal: AbortSignal): () => Promise<string | undefined> {
  let file = identify(path);
  let latest = readUserAgent(path, signal);
  return async () => {
    if (identify(path) !== file) {
      file = identify(path);
      latest = readUserAgent(path, signal);
    }
    const reading = latest;
    const userAgent = await reading;
    // The browser may have been too slow on a busy machine: try again for the next launch.
    if (userAgent === undefined && latest === reading) latest = readUserAgent(path, signal);
    return userAgent;
  };
}

/** Undefined when the browser doesn't print its version. */
export async function readUserAgent(path: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], {
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
      env: {},
      ...(signal && { signal }),
    });
    const [, major] = /(\d+)(?:\.\d+){3}/.exec(stdout) ?? [];
    return major === undefined ? undefined : toUserAgent(major);
  } catch {
    return undefined;
  }
}

/** What a browser with a window sends. Since version 101, the lower parts of the version are always 0. */
function toUserAgent(major: string): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
