import { execFile } from "node:child_process";
import { promisify } from "node:util";

const TIMEOUT_MS = 5000;

/** The major version of a browser, as it tells itself; undefined when it does not. */
export async function readMajorVersion(path: string, signal?: AbortSignal): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], {
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
      env: {},
      ...(signal && { signal }),
    });
    const [, major] = /(\d+)(?:\.\d+){3}/.exec(stdout) ?? [];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}

/** What a browser of that version with a window sends; the lower parts are 0 in all of them since version 101. */
export function toUserAgent(major: number): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
