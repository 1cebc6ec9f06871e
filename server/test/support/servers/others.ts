import { expect } from "vitest";
import { send } from "./call.ts";
import type { RealServer } from "./real-server.ts";

/** The maximum 99th percentile of another account's response times during an attack. */
const MAX_P99_MS = 1000;

const [GETS_PER_OPEN, OPTIONS] = [20, { Headless: true, Browser: 3 }];

/** Returns the setting that makes a server keep warm browsers for `watchOthers`' Open requests. */
export function warm(count: number): Readonly<Record<string, string>> {
  return { RBS_WARM: JSON.stringify([{ ...OPTIONS, Count: count }]) };
}

/**
 * As another account, calls Get and opens and closes browsers, one call after another, until the caller requests the
 * result.
 * @param warmCount The number of warm browsers that the server keeps. Browsers are opened only when all warm browsers
 * are ready.
 * @returns A function that closes all the account's browsers, and asserts that the account wasn't delayed.
 */
export function watchOthers(server: RealServer, warmCount = 0, token = server.token): () => Promise<void> {
  const over = new AbortController();
  const [gets, opens]: [number[], number[]] = [[], []];
  const watch = async (): Promise<void> => {
    do {
      for (let get = 0; get < GETS_PER_OPEN; get += 1) gets.push(await time(() => server.get(token)));
      if (!(await isWarm(server, warmCount))) continue;
      let address = "";
      opens.push(await time(async () => (address = await server.open(OPTIONS, token))));
      await server.close(address, token);
    } while (!over.signal.aborted || opens.length === 0);
  };
  const watched = watch();
  // The returned function reports the error to the caller.
  watched.catch(() => {});
  return async () => {
    over.abort();
    await watched;
    expect(p99(gets), "p99 of Get in ms").toBeLessThanOrEqual(MAX_P99_MS);
    expect(p99(opens), "p99 of Open in ms").toBeLessThanOrEqual(MAX_P99_MS);
  };
}

async function isWarm({ url }: RealServer, count: number): Promise<boolean> {
  if (count === 0) return true;
  const { body } = await send(new URL("/readyz", url), "GET");
  return body["warm"] === count;
}

async function time(step: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await step();
  return performance.now() - startedMs;
}

/** Returns the 99th percentile, or the maximum if there are fewer than 100 times. */
function p99(timesMs: readonly number[]): number {
  return timesMs.toSorted((one, other) => one - other)[Math.ceil(timesMs.length * 0.99) - 1] ?? Number.NaN;
}
