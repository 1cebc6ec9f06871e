/** Measures the duration of `work`. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Repeats `work` sequentially and measures each repetition. @param forMs Time after which no repetition starts. */
export async function timeEachMs(
  work: () => Promise<unknown>,
  { turns = Infinity, forMs = Infinity }: { readonly turns?: number; readonly forMs?: number },
): Promise<number[]> {
  const all: number[] = [];
  for (const endMs = performance.now() + forMs; all.length < turns && performance.now() < endMs;) {
    all.push(await timeMs(work));
  }
  return all;
}

/** Repeats `work`. @param atOnce Number of concurrent repetitions. */
export async function repeat(turns: number, atOnce: number, work: () => Promise<unknown>): Promise<void> {
  let left = turns;
  const takeTurns = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeTurns));
}
