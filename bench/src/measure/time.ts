/** How long some work takes. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** How long some work takes each time, one after the other: a number of times, or for as long as a time allows. */
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
