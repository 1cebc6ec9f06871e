import { readMajorVersion, toUserAgent } from "./version.ts";

/**
 * Asks a browser for its version at once, so that the first one that needs the answer need not wait.
 * @param signal Aborted when nobody asks any more.
 * @returns Reads the user agent of the same browser with a window; undefined while it does not tell its version.
 */
export function learnUserAgent(path: string, signal: AbortSignal): () => Promise<string | undefined> {
  const ask = async (): Promise<string | undefined> => {
    const major = await readMajorVersion(path, signal);
    return major === undefined ? undefined : toUserAgent(major);
  };
  let asked = ask();
  return async () => {
    const answer = asked;
    const userAgent = await answer;
    // A busy machine may have kept it from answering in time: it is asked again for the next browser.
    if (userAgent === undefined && asked === answer) asked = ask();
    return userAgent;
  };
}
