import { HasherBusy } from "../ports/password-hasher.ts";

/** Runs work in its turn. @throws {HasherBusy} Before anything is run. Whatever `work` throws. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** At most so much work at once and so much waiting; first come, first served. */
export function turns({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): Turns {
  const line = new Set<() => void>();
  let taken = 0;

  async function turn(): Promise<void> {
    if (taken < atOnce) {
      taken += 1;
      return;
    }
    if (line.size >= waiting) throw new HasherBusy("The server checks as many passwords as it can at once.");
    const { promise, resolve } = Promise.withResolvers<void>();
    line.add(resolve);
    await promise;
  }

  return async (work) => {
    await turn();
    try {
      return await work();
    } finally {
      const [next] = line;
      // The next one takes the place over, so that nobody comes between.
      if (next === undefined) taken -= 1;
      else {
        line.delete(next);
        next();
      }
    }
  };
}
