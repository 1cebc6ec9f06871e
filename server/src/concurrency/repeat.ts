import type { Clock } from "../ports/clock.ts";

/**
 * Repeats work, with a pause before each run.
 * @param pauseMs The pause before the first run, and before later runs if `work` doesn't return one.
 * @param work May return the next pause in ms. Never rejects.
 * @returns Disposing it prevents further runs. A run in progress continues.
 */
export function repeat(
  pauseMs: number,
  clock: Pick<Clock, "after">,
  work: () => Promise<number | void> | void,
): Disposable {
  let isStopped = false;
  let cancel = (): void => {};
  const plan = (delayMs: number): void => {
    if (isStopped) return;
    cancel = clock.after(delayMs, () => {
      void Promise.resolve(work()).then((nextMs) => plan(nextMs ?? pauseMs));
    });
  };
  plan(pauseMs);
  return {
    [Symbol.dispose]() {
      isStopped = true;
      cancel();
    },
  };
}
