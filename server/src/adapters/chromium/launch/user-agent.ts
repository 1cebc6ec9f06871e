import { identify, readVersion } from "./executables.ts";

/**
 * Starts reading a browser's version, so that the first launch that needs the user agent doesn't have to wait.
 * @returns A function that returns the browser's user agent when not headless; undefined if its version is unknown.
 */
export function prefetchUserAgent(path: string, signal: AbortSignal): () => Promise<string | undefined> {
  let file = identify(path);
  let latest = readUserAgent(path, signal);
  return async () => {
    const found = identify(path);
    if (found !== file) {
      file = found;
      latest = readUserAgent(path, signal);
    }
    const reading = latest;
    const userAgent = await reading;
    // A busy machine may have been too slow: try again for the next launch.
    if (userAgent === undefined && latest === reading) latest = readUserAgent(path, signal);
    return userAgent;
  };
}

/** @returns Undefined if the browser doesn't print its version. */
export async function readUserAgent(path: string, signal?: AbortSignal): Promise<string | undefined> {
  const version = await readVersion(path, signal);
  return version === undefined ? undefined : toUserAgent(version);
}

/** Returns the user agent of a browser that isn't headless. Since version 101, minor versions are always 0. */
function toUserAgent(version: string): string {
  const [major] = version.split(".");
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
